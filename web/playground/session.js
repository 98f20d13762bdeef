/** One episode as a page plays it, in a worker or under Node: steps, undo, pictures, texts, hints, all of it data. */
import { readFrame, sayFrame } from "./spoken.js";

const SPACING = 32; // actions between two states that are kept for going back
const FRAMES = 64; // of one action that are drawn; others are left out evenly

export class Session {
  #seedbed;
  #env = null;
  #kept = []; // states after 0, SPACING, ... actions
  #name = "";
  #steps = 0;
  #said = null; // the frame that was said last, of games

  constructor(seedbed) { this.#seedbed = seedbed; }

  /** What the episode is. */
  get about() { return this.#env.about; }

  families() { return this.#seedbed.families(); }

  /** Starts an episode. It takes a library for programs and starts that are not built in. */
  open(name, library = this.#seedbed) {
    const env = library.make(name);
    this.close();
    this.#env = env;
    this.#name = name;
    this.#keep();
    return { about: env.about, page: env.page };
  }

  close() {
    for (const env of [this.#env, ...this.#kept]) env?.close();
    [this.#env, this.#kept, this.#name, this.#steps, this.#said] = [null, [], "", 0, null];
  }

  step(action) {
    this.#env.step(action);
    this.#steps++;
    this.#keep();
    return this.#env.standing;
  }

  #keep() {
    if (this.#steps === this.#kept.length * SPACING) this.#kept.push(this.#env.clone());
  }

  /** Goes to where these actions lead, from the nearest state that is kept. `taken` are those that led here. */
  go(actions, taken) {
    let same = 0;
    while (same < Math.min(actions.length, taken.length) && actions[same] === taken[same]) same++;
    if (same < taken.length) {
      const nearest = Math.floor(same / SPACING);
      for (const env of this.#kept.splice(nearest + 1)) env.close();
      this.#env.restore(this.#kept[nearest]);
      this.#steps = nearest * SPACING;
    }
    for (const action of actions.slice(this.#steps)) this.step(action);
  }

  // ---- What is shown ----

  /** The state as the page shows it. `frames`: draw what the last action showed before its last frame, too. */
  show({ look, tile = 0, size = 0, mode, spoken, frames = false }) {
    const env = this.#env, picture = { look, tile, size };
    const said = spoken === undefined ? "" : this.#say(spoken);
    const pictured = look !== undefined && env.about.looks.length > 0;
    return {
      name: this.#name,
      standing: env.standing,
      mask: env.mask(),
      offered: env.about.test ? env.valid() : null,
      picture: pictured ? env.picture(picture) : null,
      frames: pictured && frames ? this.#frames(picture) : [],
      text: mode === undefined ? null : mode === "spoken" ? said : env.observe(mode),
      said,
    };
  }

  /** The state in words. Where no mode has these, they are made of a frame and the one that was said before. */
  #say(mode) {
    if (mode !== "frame") return this.#env.observe(mode);
    const { steps, maxSteps } = this.#env.standing, now = readFrame(this.#env.observe(mode));
    const before = this.#said?.steps === steps ? this.#said.before : this.#said?.now;
    this.#said = { steps, now, before };
    return sayFrame(before ?? null, now, maxSteps - steps);
  }

  /** Pictures of what the last action showed before its last frame. */
  #frames(picture) {
    const n = this.#env.frames - 1, drawn = Math.min(n, FRAMES);
    if (n < 1) return [];
    const copy = this.#env.clone();
    try {
      return Array.from({ length: drawn }, (_, i) => copy.showFrame(Math.floor(i * n / drawn)).picture(picture));
    } finally {
      copy.close();
    }
  }

  // ---- Who knows better ----

  hint(agent, depth) {
    const hint = this.#env.hint(agent);
    return { ...hint, reason: depth ? this.#reason(depth) : "" };
  }

  /** Where nothing is to be won there are no reasons. */
  #reason(depth) {
    try {
      return this.#env.reason(depth);
    } catch {
      return "";
    }
  }

  tape(agent = "human") { return this.#env.tape(agent); }
}
