/** Small helps with elements. */

export const $ = (id) => document.getElementById(id);

/** Makes an element; properties that are no members of it become attributes. */
export function make(kind, properties = {}, ...children) {
  const one = document.createElement(kind);
  for (const [key, value] of Object.entries(properties)) {
    if (key in one) one[key] = value;
    else one.setAttribute(key, value);
  }
  one.append(...children);
  return one;
}

export function option(value, text = value) { return make("option", { value, textContent: text || "default" }); }

/** Fills a list of choices, and keeps what was chosen if it is still there. */
export function fill(select, options) {
  const before = select.value;
  select.replaceChildren(...options);
  if (options.some(({ value }) => value === before)) select.value = before;
}

/** Whether a key is meant for the element that has the focus. */
export function isFor(target, key) {
  if (target.isContentEditable || ["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName)) return true;
  return ["BUTTON", "SUMMARY", "A"].includes(target.tagName) && (key === " " || key === "Enter");
}

/** Offers a file for saving. */
export function save(name, blob) {
  const url = URL.createObjectURL(blob);
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

/** What this browser remembers; nothing where that is forbidden. */
export const memory = {
  get(key) {
    try { return JSON.parse(localStorage.getItem(`seedbed.${key}`)); } catch { return null; }
  },
  set(key, value) {
    try { localStorage.setItem(`seedbed.${key}`, JSON.stringify(value)); } catch { /* then it is forgotten */ }
  },
};

export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
export const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });
