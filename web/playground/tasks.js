/** The list of tasks: search, filters, and a picture of each, which is drawn when it comes into view. */
import { $, fill, make, memory, option } from "./dom.js";

const SIDE = 320, EDGE = 0.04; // of a picture: pixels, and the part of them that stays free at each edge

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
    $("level").addEventListener("input", () => this.#paintAgain());
    $("large").addEventListener("input", () => this.#enlarge());
    $("large").checked = Boolean(memory.get("large"));
    $("cards").classList.toggle("large", $("large").checked);
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
        "all",
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
    const picture = make("canvas", { width: SIDE, height: SIDE, className: "small", "aria-hidden": "true" });
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

  #enlarge() {
    const isLarge = $("large").checked;
    $("cards").classList.toggle("large", isLarge);
    memory.set("large", isLarge);
  }

  /** Pictures are of the difficulty that was chosen. */
  #paintAgain() {
    for (const card of this.#cards) {
      card.isPainted = false;
      this.watcher.unobserve(card.element);
      this.watcher.observe(card.element);
    }
  }

  #see(seen) {
    for (const { target: { card }, isIntersecting } of seen) {
      this.#wanted = this.#wanted.filter((one) => one !== card);
      if (isIntersecting && !card.isPainted) this.#wanted.push(card);
    }
    this.#paint();
  }

  #nameOfPicture(card) { return this.nameOf(card, $("level").value); }

  async #paint() {
    if (this.#isPainting) return;
    this.#isPainting = true;
    while (this.#wanted.length) {
      const card = this.#wanted.shift();
      card.isPainted = true;
      this.watcher.unobserve(card.element);
      try {
        const picture = await this.core.painter.ask("thumbnail", await this.core.episode(this.#nameOfPicture(card)));
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

/** Draws a picture into a square; of one with a margin, its content. */
function drawSmall(canvas, { width, height, data, content }) {
  const { x, y, w, h } = content ?? { x: 0, y: 0, w: width, h: height };
  const side = canvas.width, scale = (content ? side * (1 - 2 * EDGE) : side) / Math.max(w, h);
  const whole = make("canvas", { width, height }), context = canvas.getContext("2d");
  whole.getContext("2d").putImageData(new ImageData(data, width), 0, 0);
  context.fillStyle = content ? `rgb(${data.slice(0, 3)})` : "transparent";
  context.clearRect(0, 0, side, side), context.fillRect(0, 0, side, side);
  Object.assign(context, { imageSmoothingEnabled: scale < 1 || Boolean(content), imageSmoothingQuality: "high" });
  context.drawImage(whole, x, y, w, h, (side - w * scale) / 2, (side - h * scale) / 2, w * scale, h * scale);
  canvas.classList.add("drawn");
  performance.mark("first picture");
}
