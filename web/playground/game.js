/** One episode in the page: whoever plays it acts by keys, by buttons, or by touch. */
import { $, fill, isFor, make, memory, option, pause } from "./dom.js";
import { actionOfKey, bindKeys, signOf } from "./keys.js";
import { markdown } from "./markdown.js";
import { Play, tapeObject, withPerson, withoutPerson } from "./record.js";
import { Screen } from "./screen.js";
import { Waiting } from "./waiting.js";

const OUTCOMES = {
  success: "✓ Success",
  failure: "✗ Failure",
  steps: "Out of steps",
  end: "The end",
  fault: "The world failed: the end",
};
const SPOKEN = "spoken"; // the text for screen readers, where no mode of the family has words
const QUEUE = 2; // actions that may wait for the one before
const PACE = 300; // milliseconds between steps of the expert, and of a replay

export class Game {
  #free = true; // no step is under way
  #queue = [];
  #at; // the member of a series that was taken last
  #timer = null;
  #pending = null; // in real time: the action for the next step

  /** `rules`: undo, hint, seconds, actions, person; `onend` is called with the tape once the episode is over. */
  constructor(core, { onopen, onnews } = {}) {
    Object.assign(this, {
      core,
      onopen,
      onnews,
      screen: new Screen($("picture")),
      episode: null,
      play: null,
      rules: {},
      replay: null,
    });
    this.#listen();
  }

  // ---- Opening ----

  /** Opens an episode for playing; whether it was opened. */
  async open(name, rules = {}) {
    const opened = await this.#show(name, [], rules);
    if (!opened) return false;
    this.replay = null;
    this.#begin(rules);
    return true;
  }

  #begin(rules) {
    this.rules = { undo: true, hint: true, ...rules };
    this.play = new Play(this.about.name, rules.person ?? this.#counted());
    this.began = performance.now();
    this.log(`start of ${this.about.name}`, true);
    this.#arrange();
  }

  /** In this browser: how many plays there were, and how many of this episode. A play counts from its first action. */
  #counted() {
    const plays = memory.get("plays") ?? { n: 0, of: {} };
    return { ordinal: plays.n, attempt: (plays.of[this.about.name] ?? 0) + 1 };
  }

  #count() {
    if (this.rules.person) return;
    const plays = memory.get("plays") ?? { n: 0, of: {} };
    plays.n++;
    plays.of[this.about.name] = (plays.of[this.about.name] ?? 0) + 1;
    memory.set("plays", plays);
  }

  async #show(name, actions, rules) {
    const before = this.about;
    this.stop();
    try {
      const episode = await this.core.episode(name);
      const made = await this.#wait(this.core.player, "making the episode", "open", { ...episode, actions, view: {} });
      Object.assign(this, { episode, about: made.about });
      this.#describe(made.page, rules);
      this.tell("");
      this.onopen?.(this.about.name);
      await this.#look();
      return true;
    } catch (error) {
      if (before) await this.#again();
      this.fail(error);
      return false;
    }
  }

  /** Says what went wrong. */
  fail({ message }) {
    this.tell(message === "cancelled" ? "Cancelled." : message);
    if (message !== "cancelled") this.onnews?.(message);
  }

  /** After a failed start the worker is brought back to the episode before. */
  async #again() {
    const actions = this.replay ? this.replay.actions.slice(0, Number($("at").value)) : this.play?.actions ?? [];
    await this.core.player.ask("open", { ...this.episode, actions, view: {} });
    await this.#look();
  }

  #describe(page, { look, mode } = {}) {
    const { about } = this, { test, click } = about;
    $("title").textContent = about.task;
    $("summary").textContent = test ? `A challenge of the kind "${test}" about ${about.task}.` : about.summary;
    $("mission").textContent = about.mission;
    $("mission").hidden = !about.mission;
    $("task").lastElementChild.replaceChildren(...(test ? [make("pre", { textContent: page })] : markdown(page)));
    $("task").hidden = !page;
    const shown = ({ privileged }) => (privileged ? " (shows more than an agent sees)" : "");
    fill($("look"), about.looks.map((one) => option(one.name, one.name + shown(one))));
    const words = this.#modeOf("language") ? [] : [option(SPOKEN, "in words")]; // of the page itself
    fill($("mode"), [...words, ...about.modes.map((one) => option(one.name, one.name + shown(one)))]);
    fill($("agent"), about.agents.filter((agent) => agent !== "random").map((agent) => option(agent)));
    this.#choose($("look"), about.looks.filter((one) => !one.privileged).at(-1)?.name, look, about.family);
    this.#choose($("mode"), this.#modeOf("language") ?? SPOKEN, mode, about.family);
    $("agent").value = ["expert", "coverage"].find((agent) => about.agents.includes(agent)) ?? about.agents[0];
    $("words").hidden = !about.modes.length;
    Object.assign(this.screen, { click, cursor: null });
    $("picture").classList.toggle("clicks", Boolean(click));
  }

  /** What was chosen for a family stays chosen. */
  #choose(select, usual, wanted, family) {
    const values = [...select.options].map(({ value }) => value), kept = this.chosen?.[`${family} ${select.id}`];
    select.value = [wanted, kept, usual].find((value) => values.includes(value)) ?? values[0];
  }

  /** The first of these modes that the family has. */
  #modeOf(...names) { return names.find((name) => this.about.modes.some((mode) => mode.name === name)); }

  #view(frames = false) {
    const look = this.about.looks.find(({ name }) => name === $("look").value);
    return {
      look: look?.name,
      tile: look?.tile,
      mode: $("words").open ? $("mode").value || undefined : undefined,
      spoken: this.#modeOf("language", "frame"),
      frames,
    };
  }

  // ---- Showing ----

  async #look() { this.#render(await this.core.player.ask("show", { view: this.#view(true) })); }

  #render(shown) {
    this.shown = shown;
    const { picture, frames, text, said, standing } = shown;
    if (picture) this.screen.show(picture, frames);
    $("picture").hidden = !picture;
    if (text !== null) $("text").textContent = text;
    $("text").classList.toggle("prose", [SPOKEN, "language"].includes($("mode").value));
    $("status").replaceChildren(...this.#statusOf(standing));
    $("said").textContent = said.slice(0, 1500) || $("status").textContent;
    $("picture").setAttribute("aria-label", `the state after step ${standing.steps} as a picture`);
    if (standing.done) this.tell(this.outcome());
    this.#bind();
    performance.mark("shown");
  }

  #statusOf({ steps, maxSteps, total, score, level, levels }) {
    const parts = [["step", `${steps} of ${maxSteps}`], ["return", String(Math.round(total * 1000) / 1000)]];
    if (levels) parts.push(["level", `${Math.min(level + 1, levels)} of ${levels}`]);
    if (this.about.judged_by === "score" || this.about.test)
      parts.push(["score", String(Math.round(score * 1000) / 1000)]);
    return parts.flatMap(([name, value]) => [make("span", {}, `${name} `, make("b", { textContent: value })), " "]);
  }

  outcome() {
    const { success, terminated, fault, steps } = this.shown.standing,
      byNothing = this.about.judged_by !== "success";
    const kind = fault
      ? "fault"
      : success && this.about.judged_by !== "nothing"
        ? "success"
        : !terminated
          ? "steps"
          : byNothing
            ? "end"
            : "failure";
    return `${OUTCOMES[kind]} after ${steps} steps.`;
  }

  /** Says something, and below it why. */
  tell(text, why = "") {
    $("message").textContent = text;
    $("why").textContent = why;
  }

  log(text, isFirst = false) {
    const steps = $("log").querySelector("ol");
    if (isFirst) steps.replaceChildren();
    steps.append(make("li", { textContent: text }));
    while (steps.children.length > 500) steps.firstElementChild.remove();
    steps.scrollTop = steps.scrollHeight;
  }

  // ---- Buttons and keys ----

  #offered() {
    return this.shown.offered ?? { buttons: this.about.buttons.map(() => true), click: Boolean(this.about.click) };
  }

  #bind() {
    const offered = this.#offered(), key = JSON.stringify([offered, this.about.buttons]);
    if (key !== this.boundFor) {
      this.keys = bindKeys(this.about.buttons, offered.buttons, Boolean(this.about.click));
      $("actions").replaceChildren(...this.#buttons());
      this.#arrangeSeries();
      this.boundFor = key;
    }
    const { mask, standing } = this.shown, off = standing.done || this.replay;
    for (const button of $("actions").querySelectorAll("button")) {
      const idle = mask.buttons[button.action] === false;
      button.disabled = Boolean(off);
      button.classList.toggle("idle", idle);
      button.title = idle ? "has no effect now" : "";
    }
    this.#arrange();
  }

  /** Actions with arrows are arranged as these. */
  #buttons() {
    const { bound, series } = this.keys;
    const shown = [...bound];
    if (series && !series.isLong)
      for (let action = series.first; action <= series.last; action++)
        shown.push({ action, name: this.about.buttons[action], keys: [String(series.number + action - series.first)] });
    const arrows = shown.filter(({ keys }) => keys[0]?.startsWith("Arrow")),
      others = shown.filter((one) => !arrows.includes(one));
    const group = (list, className) => make("div", { className }, ...list.map((one) => this.#button(one)));
    return [
      arrows.length ? group(arrows, arrows.length > 2 ? "pad" : "few") : "",
      others.length ? group(others, "others") : "",
    ];
  }

  #button({ action, name, keys }) {
    const place = keys[0]?.startsWith("Arrow") ? keys[0].toLowerCase() : "";
    const button = make(
      "button",
      { type: "button", className: place },
      name.replaceAll("_", " "),
      make("kbd", { textContent: keys.slice(0, 2).map(signOf).join(" ") }),
    );
    button.action = action;
    button.addEventListener("pointerdown", (event) => event.preventDefault()); // keys stay those of the game
    button.addEventListener("click", () => this.act(action));
    return button;
  }

  #arrangeSeries() {
    const { series } = this.keys;
    $("series").hidden = !series?.isLong;
    if (!series?.isLong) return;
    Object.assign($("member"), {
      min: series.number,
      max: series.number + series.last - series.first,
      value: series.number,
    });
    this.#nameMember();
  }

  #nameMember() { $("series").querySelector("span").textContent = this.about.buttons[this.#member()]; }
  #member() { return this.keys.series.first + Number($("member").value) - this.keys.series.number; }

  /** What may be done now. */
  #arrange() {
    const { rules, about, shown, replay } = this,
      isOver = !shown || shown.standing.done;
    const hide = (id, isHidden) => {
      $(id).hidden = Boolean(isHidden);
    };
    (hide("undo", replay || !rules.undo || about.test),
      hide("restart", replay || rules.onend),
      hide("hint", replay || !rules.hint));
    (hide("expert", replay || !rules.hint), hide("time", replay || !about.rate || !this.#waiting()));
    (hide("replay", !replay), hide("actions", replay));
    $("undo").disabled = !this.play?.actions.length;
    $("hint").disabled = isOver;
    $("expert").disabled = isOver && !this.isExpertActing;
  }

  #waiting() {
    const action = this.about.buttons.indexOf("noop");
    return action >= 0 && this.#offered().buttons[action] ? { action } : null;
  }

  #listen() {
    const on = (id, kind, does) => $(id).addEventListener(kind, does);
    document.addEventListener("keydown", (event) => this.#press(event));
    on("picture", "pointerdown", (event) => this.#click(event));
    (on("undo", "click", () => this.undo()),
      on("restart", "click", () => this.restart()),
      on("hint", "click", () => this.hint()));
    (on("expert", "click", () => this.toggleExpert()), on("time", "click", () => this.toggleTime()));
    (on("member", "input", () => this.#nameMember()), on("take", "click", () => this.act(this.#member())));
    for (const id of ["look", "mode"]) on(id, "change", () => this.#chose($(id)));
    on("words", "toggle", () => this.about && this.#look());
    on("at", "input", () => this.#seek(Number($("at").value)));
    on("play", "click", () => this.#toggleReplay()), on("leave", "click", () => this.open(this.about.name));
    addEventListener("resize", () => this.shown?.picture && this.screen.size());
  }

  #chose(select) {
    this.chosen = { ...this.chosen, [`${this.about.family} ${select.id}`]: select.value };
    this.#look();
  }

  #press(event) {
    if (
      $("game").hidden ||
      !this.shown ||
      event.ctrlKey ||
      event.altKey ||
      event.metaKey ||
      isFor(event.target, event.key)
    )
      return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = this.replay ? undefined : actionOfKey(this.keys, key, this.#at);
    const command = this.replay ? null : this.#commands()[key];
    if (action === undefined && !command) return;
    event.preventDefault();
    if (action !== undefined) this.act(action);
    else command();
  }

  #commands() {
    const move = (x, y) => () => this.#moveCursor(x, y),
      { rules } = this;
    const commands = {
      u: () => this.undo(),
      r: () => rules.onend || this.restart(),
      "?": () => this.hint(),
      n: () => rules.onend || $("random").click(),
      v: () => this.toggleTime(),
    };
    return this.about.click
      ? { ...commands, h: move(-1, 0), j: move(0, 1), k: move(0, -1), l: move(1, 0), c: () => this.#clickCursor() }
      : commands;
  }

  #moveCursor(dx, dy) {
    const [columns, rows] = this.about.click,
      [x, y] = this.screen.cursor ?? [Math.floor(columns / 2), Math.floor(rows / 2)];
    this.screen.cursor = [Math.min(columns - 1, Math.max(0, x + dx)), Math.min(rows - 1, Math.max(0, y + dy))];
    this.screen.mark();
    this.tell(`cursor at column ${this.screen.cursor[0]}, row ${this.screen.cursor[1]}`);
  }

  #clickCursor() { this.screen.cursor ? this.#clickOn(this.screen.cursor) : this.#moveCursor(0, 0); }

  #click(event) {
    if (!this.about?.click || event.button || this.replay) return;
    event.preventDefault();
    this.#clickOn(this.screen.cellAt(event));
  }

  #clickOn([x, y]) {
    if (this.#offered().click) this.act(this.about.buttons.length + y * this.about.click[0] + x);
    else this.tell("Clicks do nothing now.");
  }

  // ---- Steps ----

  /** Takes an action, or keeps it until the step before is done, or until its time in real time. */
  act(action) {
    if (!this.shown || this.shown.standing.done || this.replay || this.isExpertActing) return;
    if (this.#timer) this.#pending = action;
    else if (this.#free) this.#step(action, false);
    else if (this.#queue.length < QUEUE) this.#queue.push(action);
  }

  async #step(action, byExpert) {
    const { play } = this, at = performance.now() - this.began;
    this.#free = false;
    try {
      const shown = await this.core.player.ask("step", { action, view: this.#view(true) });
      if (play !== this.play) return;
      if (!play.actions.length) this.#count();
      play.took(action, at, byExpert);
      if (this.keys.series && action >= this.keys.series.first && action <= this.keys.series.last) this.#at = action;
      this.tell("");
      this.#render(shown);
      if (!byExpert) this.log(this.#nameOf(action));
      this.#limit();
    } catch (error) {
      this.tell(error.message);
    } finally {
      this.#free = true;
    }
    if (this.#queue.length && play === this.play) this.act(this.#queue.shift());
  }

  #nameOf(action) {
    const { buttons, click } = this.about, cell = action - buttons.length;
    return cell < 0 ? buttons[action] : `click ${cell % click[0]} ${Math.floor(cell / click[0])}`;
  }

  /** Ends the play at its end, or at the limits of a study. */
  #limit() {
    const { rules: { onend, actions }, play, shown } = this;
    if (onend && (shown.standing.done || (actions && play.actions.length >= actions))) this.finish();
  }

  /** Hands the tape over to whoever asked for the play. */
  async finish() {
    const { onend } = this.rules;
    if (!onend) return;
    this.stop();
    this.rules = { ...this.rules, onend: null };
    onend(await this.tape());
  }

  async undo() {
    if (!this.rules.undo || this.replay || !this.#free) return;
    this.stop();
    if (this.about.test) return this.tell("In a test nothing is taken back.");
    if (!this.play.undo()) return this.tell("This is the start.");
    this.tell("");
    this.log("undo");
    this.#render(await this.core.player.ask("go", { actions: this.play.actions, view: this.#view() }));
  }

  restart() { return this.replay || this.open(this.about.name); }

  /** Ends whatever goes on by itself. */
  stop() {
    this.isExpertActing = false;
    clearInterval(this.#timer);
    this.#timer = this.#pending = null;
    this.#queue = [];
    for (const id of ["expert", "time"]) $(id).setAttribute("aria-pressed", "false");
    $("play").textContent = "Play";
    if (this.replay) this.replay.isRunning = false;
  }

  // ---- Real time: the last action that was chosen before a step is taken in it ----

  toggleTime() {
    const isOn = Boolean(this.#timer);
    this.stop();
    if (isOn || !this.about.rate || !this.#waiting() || this.replay) return;
    $("time").setAttribute("aria-pressed", "true");
    this.#timer = setInterval(() => this.#tick(), 1000 / Math.min(60, Math.max(1, this.about.rate)));
  }

  #tick() {
    const waiting = this.#waiting();
    if (this.shown.standing.done) return this.stop();
    if (!this.#free || (this.#pending === null && !waiting)) return;
    const action = this.#pending ?? waiting.action;
    this.#pending = null;
    this.#step(action, false);
  }

  // ---- Hints ----

  /** Asks who helps; while that takes long, it can be cancelled. */
  async #ask() {
    const asked = { ...this.episode, actions: this.play.actions, agent: $("agent").value, depth: $("depth").value };
    return this.#wait(this.core.thinker, `the ${asked.agent} is thinking`, "hint", asked);
  }

  async hint() {
    if (!this.rules.hint || this.replay || this.shown.standing.done || this.isExpertActing) return;
    const { play } = this, n = play.actions.length;
    try {
      const hint = await this.#ask();
      if (play !== this.play || n !== play.actions.length) return;
      play.hints++;
      this.#explain("Hint", hint);
    } catch (error) {
      this.fail(error);
    }
  }

  #explain(who, { name, intent, reason }) {
    const text = `${who}: ${name}${intent ? `, to ${intent}` : ""}.`;
    this.tell(text, reason);
    this.log(`${text} ${reason}`);
  }

  async toggleExpert() {
    const isOn = this.isExpertActing;
    this.stop();
    if (isOn || !this.rules.hint || this.replay) return;
    this.isExpertActing = true;
    $("expert").setAttribute("aria-pressed", "true");
    try {
      await this.#letAct(this.play);
    } catch (error) {
      this.fail(error);
    }
    if (this.isExpertActing) this.stop();
    this.#arrange();
  }

  async #letAct(play) {
    const goesOn = () => this.isExpertActing && play === this.play && !this.shown.standing.done;
    while (goesOn()) {
      const hint = await this.#ask();
      if (!goesOn()) return;
      await this.#step(hint.action, true);
      if (this.shown.standing.done) return this.log(`${$("agent").value}: ${hint.name}`);
      this.#explain($("agent").value, hint);
      await pause(PACE);
    }
  }

  /** Asks a worker; if that takes long, it is said how far it has come, and it can be cancelled. */
  async #wait(helper, what, ask, given) {
    const waiting = new Waiting(what, () => helper.cancel());
    try {
      return await helper.ask(ask, given, (progress) => waiting.hear(progress));
    } finally {
      waiting.end();
    }
  }

  // ---- Tapes ----

  async tape() { return tapeObject(withPerson(await this.core.player.ask("tape", { agent: "human" }), this.play)); }

  /** Shows how a tape goes. Whether it ends as it says is checked. */
  async openTape(line) {
    const own = withoutPerson(line), { programs } = this.core;
    const { name, agent, actions } = await this.core.thinker.ask("readTape", { line: own, programs });
    this.rules = {};
    if (!await this.#show(name, [], {})) return;
    Object.assign(this, { play: null, replay: { actions, isRunning: false } });
    Object.assign($("at"), { max: actions.length, value: 0 });
    this.log(`played by ${agent}`, true);
    this.#bind();
    this.core.painter.ask("check", { line: own, ...this.episode }).then(
      () => this.tell(`Played by ${agent}: ${actions.length} actions. The tape ends as it says.`),
      (error) => this.tell(error.message),
    );
  }

  async #seek(step) {
    const actions = this.replay.actions.slice(0, step);
    $("at").value = step;
    this.#render(await this.core.player.ask("go", { actions, view: this.#view(true) }));
    this.tell(
      step ? `${this.#nameOf(actions[step - 1])}${this.shown.standing.done ? ` - ${this.outcome()}` : ""}` : "start",
    );
  }

  async #toggleReplay() {
    const { replay } = this, isOn = replay.isRunning, last = replay.actions.length;
    this.stop();
    if (isOn) return;
    if (Number($("at").value) >= last) await this.#seek(0);
    replay.isRunning = true;
    $("play").textContent = "Pause";
    while (replay === this.replay && replay.isRunning && Number($("at").value) < last) {
      await this.#seek(Number($("at").value) + 1);
      await pause(PACE);
    }
    if (replay === this.replay && replay.isRunning) this.stop();
  }
}
