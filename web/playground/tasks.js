/** The list of tasks: search, filters, and a picture of each, which is drawn when it comes into view. */
import { $, fill, make, option } from "./dom.js";

export class Tasks {
  #cards = [];
  #wanted = []; // cards in view without a picture, the newest last
  #isPainting = false;

  /** `open` is called with the name of an episode. */
  constructor(core, seeds, isRestricted, open) {
    Object.assign(this, { core, seeds, isRestricted, open });
    this.watcher = new IntersectionObserver((seen) => this.#see(seen), { rootMargin: "200px" });
    $("search").addEventListener("keydown", ({ key }) => key === "Enter" && this.#openNamed());
    for (const id of ["search", "family", "skill", "level"]) $(id).addEventListener("input", () => this.filter());
  }

  show(families) {
    this.families = families;
    this.#cards = families.flatMap((family) => family.tasks.map((task) => this.#card(family, task))).filter(Boolean);
    const values = (of) => [...new Set(this.#cards.flatMap(of))].sort();
    const rows = (first, list) => [
      option("", first),
      ...list.map((value) => option(value, value.replaceAll("_", " "))),
    ];
    fill($("family"), rows("all families", [...new Set(this.#cards.map(({ family }) => family))]));
    fill(
      $("skill"),
      rows(
        "all skills",
        values(({ skills }) => skills),
      ),
    );
    fill(
      $("level"),
      rows("all difficulties", [...new Set(this.#cards.flatMap(({ levels }) => levels))].filter(Boolean)),
    );
    $("cards").replaceChildren(...this.#cards.map(({ element }) => element));
    this.filter();
  }

  /** The difficulties of a task that the page offers. */
  levelsOf(family, task) {
    return this.isRestricted
      ? task.difficulties.filter((level) => this.seeds[placeOf(family, task, level)])
      : task.difficulties;
  }

  #card(family, task) {
    const levels = this.levelsOf(family.family, task);
    if (!levels.length) return null;
    const picture = make("canvas", { width: 160, height: 160, className: "small", "aria-hidden": "true" });
    const button = make(
      "button",
      { type: "button", className: "card" },
      picture,
      make(
        "span",
        {},
        make("strong", { textContent: task.task }),
        make("small", { textContent: `${family.family} · ${task.category.replaceAll("_", " ")}` }),
        make("span", { textContent: task.summary }),
      ),
    );
    const card = {
      element: make("li", {}, button),
      picture,
      family: family.family,
      task,
      levels,
      skills: [task.category, ...task.skills],
    };
    card.words =
      `${task.task} ${family.family} ${task.category} ${task.skills.join(" ")} ${task.summary}`.toLowerCase();
    button.addEventListener("click", () => this.open(this.nameOf(card, $("level").value)));
    this.watcher.observe(card.element);
    card.element.card = card;
    return card;
  }

  nameOf({ family, task, levels }, wanted) {
    const level = levels.includes(wanted) ? wanted : levels[0];
    const place = placeOf(family, task, level);
    return `${place}#${this.seeds[place]?.[0] ?? 1}`;
  }

  /** A search for a name opens that episode, or the only task that is found. */
  #openNamed() {
    const words = $("search").value.trim(), found = this.#cards.filter(({ element }) => !element.hidden);
    if (words.includes("#")) this.open(words);
    else if (found.length === 1) this.open(this.nameOf(found[0], $("level").value));
  }

  filter() {
    const words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const [family, skill, level] = ["family", "skill", "level"].map((id) => $(id).value);
    let found = 0;
    for (const card of this.#cards) {
      const fits = words.every((word) => card.words.includes(word)) && (!family || card.family === family) &&
        (!skill || card.skills.includes(skill)) && (!level || card.levels.includes(level));
      card.element.hidden = !fits;
      found += fits;
    }
    $("found").textContent = found === 1 ? "1 task" : `${found} tasks`;
  }

  // ---- Pictures ----

  #see(seen) {
    for (const { target: { card }, isIntersecting } of seen) {
      this.#wanted = this.#wanted.filter((one) => one !== card);
      if (isIntersecting && !card.isPainted) this.#wanted.push(card);
    }
    this.#paint();
  }

  async #paint() {
    if (this.#isPainting) return;
    this.#isPainting = true;
    while (this.#wanted.length) {
      const card = this.#wanted.shift();
      card.isPainted = true;
      this.watcher.unobserve(card.element);
      try {
        const picture = await this.core.painter.ask("thumbnail", await this.core.episode(this.nameOf(card, "")));
        if (picture?.data) drawSmall(card.picture, picture);
      } catch { /* the card stays without one */ }
    }
    this.#isPainting = false;
  }
}

/** The name of an episode without its seed. */
export function placeOf(family, { task }, level) {
  return `${family === "agentick" ? "" : `${family}:`}${task}${level ? `/${level}` : ""}`;
}

/** Draws a picture into a square; one with a wide margin is drawn larger than that. */
function drawSmall(canvas, { width, height, data, zoom }) {
  const whole = make("canvas", { width, height }), side = canvas.width, scale = zoom * side / Math.max(width, height);
  whole.getContext("2d").putImageData(new ImageData(data, width), 0, 0);
  const context = canvas.getContext("2d");
  Object.assign(context, { imageSmoothingEnabled: scale < 1 || zoom > 1, imageSmoothingQuality: "high" });
  context.drawImage(whole, (side - width * scale) / 2, (side - height * scale) / 2, width * scale, height * scale);
  canvas.classList.add("drawn");
  performance.mark("first picture");
}
