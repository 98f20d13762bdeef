/** The library in workers: one for steps, so that a step never waits, one for experts, one for small pictures. */

/** Takes apart what stands in the page as the base64 of a gzip file. */
export async function unpack(base64) {
  const letters = atob(base64), bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

export async function unpackText(base64) { return new TextDecoder().decode(await unpack(base64)); }

/** A worker that answers questions in their order. */
class Helper {
  #start;
  #made = null; // also while it begins
  #worker = null;
  #waiting = new Map();
  #next = 0;

  /** `start` makes a worker; `module` is a promise of the compiled module. */
  constructor(start, module) {
    this.#start = start;
    this.module = module;
  }

  /** `onProgress` is told how far it has come, if that takes long: `{what, done, of}`. */
  async ask(ask, given = {}, onProgress = null) {
    const worker = this.#worker ?? await this.begin();
    if (this.#worker !== worker) throw new Error("cancelled");
    return this.#send(worker, ask, given, onProgress);
  }

  begin() {
    this.beginning ??= (async () => {
      const worker = this.#made = this.#start();
      worker.addEventListener("message", ({ data }) => this.#answer(data));
      const module = await this.module;
      if (this.#made !== worker) throw new Error("cancelled"); // it is gone, and answers nothing
      await this.#send(worker, "begin", { module });
      return this.#worker = worker;
    })();
    return this.beginning;
  }

  #send(worker, ask, given, onProgress) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, onProgress });
      worker.postMessage({ id, ask, given });
    });
  }

  #answer({ id, answer, error, progress }) {
    const waiting = this.#waiting.get(id);
    if (progress) return waiting?.onProgress?.(progress);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(answer);
    else waiting?.reject(new Error(error));
    return undefined;
  }

  /** Ends the worker in the middle of whatever it does; the next question starts another. */
  cancel() {
    this.#made?.terminate();
    this.#made = this.#worker = this.beginning = null;
    for (const { reject } of this.#waiting.values()) reject(new Error("cancelled"));
    this.#waiting.clear();
  }
}

export class Core {
  #packed;
  #starts = null;

  /** `module` and `starts`: base64 texts of the page; `source`: the worker's text; `programs`: texts in Autumn. */
  constructor({ module, starts, source, programs = [] }) {
    const compiled = unpack(module).then((bytes) => WebAssembly.compile(bytes));
    const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    this.#packed = starts;
    this.programs = programs;
    [this.player, this.thinker, this.painter] = Array.from(
      { length: 3 },
      () => new Helper(() => new Worker(url), compiled),
    );
  }

  /** Starts the workers that are needed first, side by side. */
  warm() { for (const helper of [this.player, this.painter]) helper.begin(); }

  families() { return this.player.ask("families", { programs: this.programs }); }

  /** Adds a program; returns the names of its tasks. */
  async add(text) {
    const names = await this.painter.ask("programs", { programs: [text] });
    if (!this.programs.includes(text)) this.programs = [...this.programs, text];
    return names;
  }

  /** What an episode needs: its name, the programs that were brought, and what it starts from if the page has that. */
  async episode(name) { return { name, programs: this.programs, start: await this.#startOf(name) }; }

  /** The names of the episodes of which the page has what they start from. */
  async stored() { return [...(await this.#read()).keys()]; }

  async #startOf(name) {
    const start = this.#packed && name.includes("/") ? (await this.#read()).get(name) : undefined;
    return start === undefined ? null : JSON.parse(start);
  }

  /** Each line has a name, a tab, and a document as a text in JSON, which is read when it is asked for. */
  #read() {
    this.#starts ??= (this.#packed ? unpackText(this.#packed) : Promise.resolve("")).then((text) =>
      new Map(text.split("\n").filter(Boolean).map((line) => line.split("\t", 2))));
    return this.#starts;
  }
}
