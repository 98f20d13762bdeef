/* Leads scripted participants through a study, by web/playground/study.js, with elements and a host that are only enough for that.
 *
 *   node tests/web/study.js <SPEC >RESULT
 *
 * SPEC: `study`; `collect` (or null); `orders` (participants and places of which the order is wanted); `people`, each with `plays` (what
 * the host hands over, by episode: tapes, or the text `reload`, at which the page is thrown away and opened again), `answers` by question,
 * `agrees`, `fails` (how many of the first requests find no network), `again` (whether an episode that was not solved is tried again). RESULT
 * has `orders`, and for each of the people the `participant`, what was `seen`, `played`, `records` and `files`. */
import { readFileSync } from "node:fs";

class Element {
  constructor(kind) {
    Object.assign(this, { kind, children: [], attributes: {}, textContent: "", onclick: null, value: "", type: "", name: "", className: "" });
    Object.assign(this, { checked: false, tabIndex: 0, min: "", max: "", step: "", inputMode: "", rows: 0, maxLength: 0 });
  }

  append(...children) { this.children.push(...children); }

  replaceChildren(...children) {
    this.children = children;
    this.onshown?.();
  }

  setAttribute(key, value) { this.attributes[key] = value; }

  focus() {}

  all(kind) { return this.children.flatMap((child) => (child.all ? [...(child.kind === kind ? [child] : []), ...child.all(kind)] : [])); }
}

globalThis.document = { createElement: (kind) => new Element(kind), getElementById: () => null };
const { runStudy, orderOf, Memory } = await import("../../web/playground/study.js");
const spec = JSON.parse(readFileSync(0, "utf8"));

/** Does what a person would do with what is shown. */
function react(root, person, seen) {
  const title = root.all("h2")[0]?.textContent, buttons = root.all("button"), texts = root.all("p").map((p) => p.textContent);
  if (!title) return;
  seen.push([title, ...texts.filter(Boolean)]);
  const press = (text) => buttons.find(({ textContent }) => textContent === text).onclick();
  if (title === "Your consent") press(person.agrees ? "I agree" : "I do not agree");
  else if (title === "Not solved") press(person.again ? "Try again" : "Go on");
  else if (title === "A question") {
    const [question] = texts, answers = person.answers[question], answer = Array.isArray(answers) ? answers.shift() : answers;
    for (const input of root.all("input")) {
      if (input.type === "radio") input.checked = input.value === answer;
      else input.value = String(answer);
    }
    for (const area of root.all("textarea")) area.value = answer;
    press("Continue");
  } else if (title !== "The end" && buttons.length) buttons[0].onclick();
}

class Reload extends Error {}

/** Opens the page; throws at the next `reload`. */
async function open(person, store, result) {
  const root = new Element("div"), files = [];
  root.onshown = () => {
    const shown = root.children; // by the time that the person looks, something else may be there
    setImmediate(() => { if (shown === root.children) react(root, person, result.seen); });
  };
  const host = {
    root, collect: spec.collect,
    async play(request) {
      const next = person.plays[request.name].shift();
      if (next === "reload") throw new Reload();
      result.played.push(request);
      return next;
    },
  };
  const fetching = async (...request) => {
    if (person.fails-- > 0) throw new TypeError("no network");
    return fetch(...request);
  };
  let now = 0;
  const save = (name, blob) => files.push(blob.text().then((text) => [name, text]));
  const tools = { store, fetch: fetching, wait: () => new Promise(setImmediate), now: () => (now += person.pace ?? 0), save };
  await runStudy(spec.study, host, tools);
  await new Promise(setImmediate); // the person sees the end
  await root.all("button").find(({ textContent }) => textContent === "Save what I did")?.onclick();
  result.files = Object.fromEntries(await Promise.all(files));
}

async function lead(person) {
  const store = new Memory(), result = { seen: [], played: [], files: {} };
  for (let opened = 0; opened < 20; opened++) {
    try {
      await open(person, store, result);
      break;
    } catch (error) {
      if (!(error instanceof Reload)) throw error;
    }
  }
  result.records = await store.records();
  result.participant = (await store.state())?.participant ?? null;
  return result;
}

const orders = (spec.orders ?? []).map(([participant, place]) => orderOf(spec.study, participant, place));
console.log(JSON.stringify({ orders, people: await Promise.all((spec.people ?? []).map(lead)) }));
