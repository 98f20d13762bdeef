/** Seedbed in a browser or under Node. seedbed.d.ts says what everything means. */

const DEPTHS = ["intent", "plan", "search"];
const CODES = ["ok", "invalid", "unknown", "io", "memory", "mismatch", "version", "finished"];
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class SeedbedError extends Error {
  constructor(message, code) {
    super(message);
    this.name = "SeedbedError";
    this.code = CODES[code] ?? "invalid";
  }
}

/** What the module imports. It has neither files nor a clock, and ends only if it is broken. */
const refuse = () => 8;
const importsFor = (sb_web_heard) => ({
  env: { emscripten_asm_const_int: () => 0, emscripten_notify_memory_growth() {}, sb_web_heard },
  wasi_snapshot_preview1: {
    proc_exit(code) { throw new Error(`the module ended with ${code}`); },
    fd_close: refuse, fd_write: refuse, fd_seek: refuse,
  },
});

/** Neither bundlers for browsers nor browsers know this module of Node's, so they may not see its name. */
const files = "node:fs/promises";

async function instantiate(source, imports) {
  if (source instanceof WebAssembly.Module) return WebAssembly.instantiate(source, imports);
  if (source && !(source instanceof URL) && typeof source !== "string") return (await WebAssembly.instantiate(source, imports)).instance;
  const url = source ? new URL(source, import.meta.url) : new URL("seedbed.wasm", import.meta.url); // so bundlers find the file
  if (url.protocol === "file:") {
    const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ files);
    return (await WebAssembly.instantiate(await readFile(url), imports)).instance;
  }
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  return (await WebAssembly.instantiate(await answer.arrayBuffer(), imports)).instance;
}

/** `onProgress` is called while an episode starts, if that takes long. */
export async function load(source, { onProgress } = {}) {
  const heard = (at, n, done, of) => {
    onProgress?.({ what: decoder.decode(new Uint8Array(instance.exports.memory.buffer, at, n)), done, of });
  };
  const instance = await instantiate(source, importsFor(heard));
  instance.exports._initialize();
  return new Seedbed(new Module(instance.exports));
}

/** What the module exports, and views of its memory, which are made again when that has grown. */
class Module {
  #bytes = new Uint8Array(0);
  #numbers = null;

  constructor(calls) {
    this.calls = calls;
    this.abandoned = new FinalizationRegistry(({ at, library }) => {
      calls.sb_web_close(at);
      library.release();
    });
  }

  #look() {
    if (this.#bytes.buffer === this.calls.memory.buffer) return;
    this.#bytes = new Uint8Array(this.calls.memory.buffer);
    this.#numbers = new DataView(this.calls.memory.buffer);
  }

  get bytes() {
    this.#look();
    return this.#bytes;
  }

  get numbers() {
    this.#look();
    return this.#numbers;
  }
}

/** What environments know beside the built-in tasks. It is freed when it is closed and no environment needs it any more. */
class Library {
  #users = 0;

  constructor(calls, at, added) {
    this.calls = calls;
    this.at = at;
    this.added = added;
    this.names = [];
    this.isOpen = true;
  }

  hold() { this.#users++; }

  release() {
    this.#users--;
    this.#freeUnused();
  }

  close() {
    this.isOpen = false;
    this.#freeUnused();
  }

  #freeUnused() {
    if (this.isOpen || this.#users > 0) return;
    if (this.at) this.calls.sb_web_library_free(this.at);
    this.at = 0;
  }
}

/** Refuses what is no whole number: the module would cut it off, and do something else. */
function whole(value, what) {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 31) return value;
  throw new SeedbedError(`${what} is a whole number, not \`${value}\``, 1);
}

/** Adds a text to a library through an environment, and returns what the module says. */
let addTo;

class Seedbed {
  #module;
  #library;

  constructor(module, library = new Library(module.calls, 0, { programs: [], starts: [] })) {
    this.#module = module;
    this.#library = library;
  }

  #open() {
    if (!this.#library.isOpen) throw new SeedbedError("the library is closed", 7);
    const at = this.#module.calls.sb_web_open(this.#library.at);
    if (!at) throw new SeedbedError("out of memory", 4);
    return new Environment(this.#module, this.#library, at);
  }

  /** Opens an environment for `fill`, and closes it if that fails. */
  #filled(fill) {
    const env = this.#open();
    try {
      return fill(env);
    } catch (error) {
      env.close();
      throw error;
    }
  }

  make(name) { return this.#filled((env) => env.reset(String(name))); }
  replay(tape) { return this.#filled((env) => env.replay(tape)); }
  readTape(tape) { return this.#once((env) => env.readTape(tape)); }
  families() { return this.#once((env) => env.families()); }

  /** Bytes of memory that the module holds. It never gives any back. */
  get memory() { return this.#module.calls.memory.buffer.byteLength; }

  get programs() { return this.#library.names; }

  library({ programs = [], starts = [] } = {}) {
    const { calls } = this.#module;
    const outer = this.#library.added;
    const added = { programs: [...outer.programs, ...programs], starts: [...outer.starts, ...starts] };
    const at = calls.sb_web_library();
    if (!at) throw new SeedbedError("out of memory", 4);
    const library = new Library(calls, at, added);
    try {
      library.names = this.#once((env) => {
        const names = added.programs.flatMap((text) => addTo(env, "sb_web_add_program", at, text).split("\n"));
        for (const { name, document } of added.starts) addTo(env, "sb_web_add_start", at, `${name}\n${document}`);
        return names;
      });
      return new Seedbed(this.#module, library);
    } catch (error) {
      library.close();
      throw error;
    }
  }

  close() {
    if (this.#library.at) this.#library.close();
  }

  #once(ask) {
    const env = this.#open();
    try {
      return ask(env);
    } finally {
      env.close();
    }
  }
}

class Environment {
  #module;
  #calls;
  #library;
  #at;
  #about = null;

  constructor(module, library, at) {
    this.#module = module;
    this.#calls = module.calls;
    this.#library = library;
    this.#at = at;
    library.hold();
    module.abandoned.register(this, { at, library }, this);
  }

  static {
    addTo = (env, call, library, text) => {
      env.#put(text);
      env.#call(call, library);
      return env.#text();
    };
  }

  // ---- Texts into the module and out of it ----

  #put(text) {
    if (!this.#at) throw new SeedbedError("the environment is closed", 7);
    const bytes = encoder.encode(text);
    if (bytes.includes(0)) throw new SeedbedError("a text has no character NUL", 1);
    const room = this.#calls.sb_web_room(this.#at, bytes.length);
    if (!room) throw new SeedbedError("out of memory", 4);
    this.#module.bytes.set(bytes, room);
  }

  #said() {
    const from = this.#calls.sb_web_text(this.#at);
    return this.#module.bytes.subarray(from, from + this.#calls.sb_web_size(this.#at));
  }

  #text() { return decoder.decode(this.#said()); }

  /** Calls a function of the module; text that goes in was put before. */
  #call(name, ...rest) {
    if (!this.#at) throw new SeedbedError("the environment is closed", 7);
    const answer = this.#calls[name](this.#at, ...rest);
    if (!answer) throw new SeedbedError(this.#text(), this.#calls.sb_web_code(this.#at));
    return answer;
  }

  // ---- Episodes ----

  reset(name = this.name) {
    this.#about = null;
    this.#put(name);
    this.#call("sb_web_start");
    return this;
  }

  step(action) {
    this.#call("sb_web_step", typeof action === "string" ? this.parseAction(action) : whole(action, "an action"));
    return this.standing;
  }

  get standing() {
    const from = this.#call("sb_web_standing_of");
    const { numbers } = this.#module;
    const flags = numbers.getUint32(from + 56, true);
    return {
      reward: numbers.getFloat64(from, true),
      dense: numbers.getFloat64(from + 8, true),
      total: numbers.getFloat64(from + 16, true),
      denseTotal: numbers.getFloat64(from + 24, true),
      score: numbers.getFloat64(from + 32, true),
      steps: numbers.getInt32(from + 40, true),
      maxSteps: numbers.getInt32(from + 44, true),
      level: numbers.getInt32(from + 48, true),
      levels: numbers.getInt32(from + 52, true),
      terminated: (flags & 1) !== 0,
      truncated: (flags & 2) !== 0,
      success: (flags & 4) !== 0,
      fault: (flags & 8) !== 0,
      done: (flags & 16) !== 0,
    };
  }

  get done() { return this.standing.done; }

  get about() {
    if (!this.#about) {
      this.#call("sb_web_about");
      this.#about = JSON.parse(this.#text());
    }
    return this.#about;
  }

  get name() { return this.about.name; }

  get page() {
    this.#call("sb_web_page");
    return this.#text();
  }

  get key() {
    this.#call("sb_web_standing_of"); // refuses if it is closed
    this.#calls.sb_web_key(this.#at);
    return this.#text();
  }

  observe(mode = 0) {
    const modes = this.about.modes;
    const index = typeof mode === "number" ? mode : modes.findIndex((known) => known.name === mode);
    if (!modes[index]) throw new SeedbedError(`there is no mode \`${mode}\`; known modes: ${modes.map((known) => known.name).join(", ")}`, 2);
    this.#call("sb_web_observe", index);
    return this.#text();
  }

  // ---- Actions ----

  #mask(published) {
    this.#call("sb_web_standing_of"); // refuses if it is closed
    const { buttons, click } = this.about;
    const n = this.#calls.sb_web_mask(this.#at, published);
    const from = this.#calls.sb_web_text(this.#at);
    const entries = Array.from(this.#module.bytes.subarray(from, from + n), Boolean);
    return { buttons: entries.slice(0, buttons.length), click: click !== null && entries[buttons.length] };
  }

  mask() { return this.#mask(0); }
  valid() { return this.#mask(1); }

  actionName(action) {
    this.#call("sb_web_action_name", whole(action, "an action"));
    return this.#text();
  }

  parseAction(text) {
    this.#put(String(text));
    const action = this.#calls.sb_web_parse_action(this.#at);
    if (action < 0) throw new SeedbedError(this.#text(), this.#calls.sb_web_code(this.#at));
    return action;
  }

  click(x, y) {
    const { buttons, click } = this.about;
    whole(x, "x"), whole(y, "y");
    if (!click || x < 0 || y < 0 || x >= click[0] || y >= click[1]) throw new SeedbedError(`there is nothing to click at (${x},${y})`, 1);
    return buttons.length + y * click[0] + x;
  }

  // ---- Pictures ----

  picture({ look = 0, tile = 0, size = 0, view = 0, panel = true } = {}) {
    const looks = this.about.looks;
    const index = typeof look === "number" ? look : looks.findIndex((known) => known.name === look);
    if (!looks[index]) throw new SeedbedError(`there is no look \`${look}\`; known looks: ${looks.map((known) => known.name).join(", ")}`, 2);
    this.#call("sb_web_picture", index, whole(tile, "tile"), whole(size, "size"), whole(view, "view"), panel ? 1 : 0);
    const width = this.#calls.sb_web_picture_width(this.#at);
    const data = new Uint8ClampedArray(this.#said());
    return { width, height: data.length / 4 / width, data };
  }

  get frames() {
    this.#call("sb_web_standing_of"); // refuses if it is closed
    return this.#calls.sb_web_frames(this.#at);
  }

  showFrame(frame) {
    this.#call("sb_web_show_frame", whole(frame, "a frame"));
    return this;
  }

  // ---- Oracles and tapes ----

  hint(agent = "") {
    this.#put(agent);
    this.#call("sb_web_hint");
    return JSON.parse(this.#text());
  }

  reason(depth = "plan") {
    if (!DEPTHS.includes(depth)) throw new SeedbedError(`there is no depth \`${depth}\`; known depths: ${DEPTHS.join(", ")}`, 2);
    this.#call("sb_web_reason", DEPTHS.indexOf(depth));
    return this.#text();
  }

  tape(agent = "person") {
    this.#put(agent);
    this.#call("sb_web_tape");
    return this.#text();
  }

  replay(tape) {
    this.#about = null;
    this.#put(tape.trim());
    this.#call("sb_web_replay");
    return this;
  }

  readTape(tape) {
    this.#put(tape.trim());
    this.#call("sb_web_read_tape");
    return JSON.parse(this.#text());
  }

  families() {
    this.#call("sb_web_catalogue");
    return JSON.parse(this.#text());
  }

  // ---- Copies ----

  clone() {
    const copy = new Environment(this.#module, this.#library, this.#call("sb_web_clone"));
    copy.#about = this.#about;
    return copy;
  }

  restore(from) {
    if (from.#calls !== this.#calls) throw new SeedbedError("the copy is of another module", 1);
    if (from.#library !== this.#library) throw new SeedbedError("the copy is of another library", 1);
    if (!from.#at) throw new SeedbedError("the copy is closed", 7);
    this.#call("sb_web_copy", from.#at);
    this.#about = from.#about;
    return this;
  }

  close() {
    if (!this.#at) return;
    this.#module.abandoned.unregister(this);
    this.#calls.sb_web_close(this.#at);
    this.#at = 0;
    this.#library.release();
  }
}
