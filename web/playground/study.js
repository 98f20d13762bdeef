/**
 * Leads a participant through a study: welcome, consent, instructions, episodes with questions between, end.
 *
 * What was done is kept in the browser's own database until the server has confirmed it, so neither a reload nor a lost
 * network loses anything; without a server the page offers it as a file. A participant is a random number, and nothing
 * else is known of anybody.
 */
import { make, pause, save } from "./dom.js";

// ---- The order of episodes, as evaluation/study/order.c has it ----

function mixed(x) {
  let y = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  y = Math.imul(y ^ (y >>> 15), 0x846ca68b);
  return (y ^ (y >>> 16)) >>> 0;
}

function numberOf(participant) {
  return [0, 8].reduce((number, at) => mixed(number ^ Number.parseInt(participant.slice(at, at + 8), 16)), 0);
}

function drawn(number, n) {
  const keys = Array.from({ length: n }, (_, i) => mixed((number + Math.imul(i + 1, 0x9e3779b9)) >>> 0));
  return [...keys.keys()].sort((a, b) => keys[a] - keys[b] || a - b);
}

/** The row of a square in which every episode stands once in each place, and follows every other one equally often. */
function balanced(place, n) {
  const row = place % (n % 2 ? 2 * n : n);
  const at = (i) => ((i % 2 ? n - (i + 1) / 2 : i / 2) + row) % n;
  return Array.from({ length: n }, (_, i) => at(row < n ? i : n - 1 - i));
}

/** Gives a participant's episodes, by their numbers in the study; `place` is null where nobody counts participants. */
export function orderOf(study, participant, place = null) {
  const n = study.packs.flat().length, number = numberOf(participant);
  const all = { drawn: () => drawn(number, n), balanced: () => balanced(place ?? number, n) };
  const order = all[study.order] ? all[study.order]() : [...Array.from({ length: n }).keys()];
  return order.slice(0, study.episodes ?? n);
}

// ---- What the browser keeps ----

/** Ends when a request to the database, or a transaction, has. */
function settled(request) {
  return new Promise((resolve, reject) => {
    request.oncomplete = request.onsuccess = () => resolve(request.result);
    request.onabort = request.onerror = () => reject(request.error ?? new Error("the browser's database failed"));
  });
}

/** The state of the study, and what is to be sent, in IndexedDB. */
class Database {
  static async open(name) {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("state");
      request.result.createObjectStore("records", { autoIncrement: true });
    };
    return new Database(await settled(request));
  }

  constructor(database) { this.database = database; }

  #begin(mode) {
    const transaction = this.database.transaction(["state", "records"], mode);
    return { transaction, state: transaction.objectStore("state"), records: transaction.objectStore("records") };
  }

  state() { return settled(this.#begin("readonly").state.get("state")); }

  /** Keeps the state together with new records: after a reload both are there, or neither is. */
  async keep(state, ...added) {
    const { transaction, state: states, records } = this.#begin("readwrite");
    states.put(state, "state");
    for (const one of added) records.add(one);
    await settled(transaction);
  }

  async records() {
    const { transaction, records } = this.#begin("readonly");
    const keys = records.getAllKeys(), values = records.getAll();
    await settled(transaction);
    return values.result.map((value, i) => ({ ...value, key: keys.result[i] }));
  }

  async change({ key, ...record }) {
    const { transaction, records } = this.#begin("readwrite");
    records.put(record, key);
    await settled(transaction);
  }

  async clear() {
    const { transaction, state, records } = this.#begin("readwrite");
    state.clear(), records.clear();
    await settled(transaction);
  }
}

/** The same where the browser keeps nothing, as in some private windows: a reload then begins anew. */
export class Memory {
  constructor() { this.now = undefined, this.all = []; }

  async state() { return this.now && structuredClone(this.now); }

  async keep(state, ...added) {
    this.now = structuredClone(state);
    this.all.push(...structuredClone(added));
  }

  async records() { return this.all.map((record, key) => ({ ...record, key })); }

  async change({ key, ...record }) { this.all[key] = record; }

  async clear() { this.now = undefined, this.all = []; }
}

/** Tells studies apart, also two versions of one. */
function fingerprint(study) {
  let sum = 2166136261;
  for (const letter of JSON.stringify(study)) sum = Math.imul(sum ^ letter.codePointAt(0), 16777619) >>> 0;
  return sum.toString(16);
}

async function openStore(study) {
  try {
    return await Database.open(`seedbed-study-${study.name}-${fingerprint(study)}`);
  } catch {
    return new Memory();
  }
}

// ---- Sending ----

const SLOWEST = 60000;

/** Sends records one after another, each until it is confirmed or refused for good. */
class Sender {
  constructor(store, address, { fetch, wait, onchange }) {
    Object.assign(this, { store, address, fetch, wait, onchange, delay: 1000 });
    Object.assign(this, { place: null, isGone: false, running: null });
  }

  async unsent() { return (await this.store.records()).filter(({ sent, refused }) => !sent && !refused); }

  /** Sends what there is, and what is added meanwhile; the promise is that all is settled. */
  run() {
    this.running ??= this.#run().finally(() => { this.running = null; });
    return this.running;
  }

  async #run() {
    for (let all = await this.unsent(); all.length && this.address && !this.isGone; all = await this.unsent()) {
      await this.#send(all[0]);
    }
  }

  async #send(record) {
    let response = null;
    try {
      const headers = { "Content-Type": "application/json" };
      response = await this.fetch(this.address, { method: "POST", headers, body: record.text });
    } catch { /* no network */ }
    const isFinal = response && response.status < 500 && ![408, 429].includes(response.status);
    if (isFinal) await this.#settle(record, response);
    else await this.#rest();
    this.onchange();
  }

  async #settle(record, response) {
    const said = await response.json().catch(() => ({}));
    this.delay = 1000;
    if (response.status === 410) this.isGone = true;
    if (response.status === 200) this.place = said.place ?? this.place;
    const refused = said.error ?? `status ${response.status}`;
    await this.store.change({ ...record, ...(response.status === 200 ? { sent: true } : { refused }) });
  }

  async #rest() {
    await this.wait(this.delay * (0.5 + Math.random()));
    this.delay = Math.min(2 * this.delay, SLOWEST);
  }
}

// ---- What is shown ----

/** Shows one thing at a time in the host's element, and waits for the participant. */
class Stage {
  constructor(host) { this.host = host, this.root = host.root; }

  /** Shows a heading and what stands below it; the promise is of the button that is pressed. */
  ask(title, children, buttons) {
    this.host.clear?.();
    return new Promise((resolve) => {
      const heading = make("h2", { textContent: title, tabIndex: -1 });
      const press = (value) => make("button", { type: "button", textContent: value, onclick: () => resolve(value) });
      this.root.replaceChildren(heading, ...children, make("div", { className: "row" }, ...buttons.map(press)));
      heading.focus();
    });
  }

  text(title, text, ...buttons) { return this.ask(title, paragraphs(text), buttons); }

  clear() { this.root.replaceChildren(); }
}

function paragraphs(text) { return text.split(/\n\s*\n/).map((part) => make("p", { textContent: part })); }

/** What a question is answered with: its element, and a function that gives the answer, or null while there is none. */
const inputs = {
  choice({ choices, name }) {
    const radios = choices.map((value) => make("input", { type: "radio", name, value }));
    const labels = radios.map((radio, i) => make("label", {}, radio, ` ${choices[i]}`));
    const field = make("div", { className: "choices", role: "radiogroup" }, ...labels);
    return { field, value: () => radios.find(({ checked }) => checked)?.value ?? null };
  },
  number({ least, most }) {
    const field = make("input", { type: "number", min: least, max: most, step: "any", inputMode: "decimal" });
    const number = () => (field.value === "" ? Number.NaN : Number(field.value));
    return { field, value: () => (number() >= least && number() <= most ? number() : null) };
  },
  text({ letters = 500 }) {
    const field = make("textarea", { rows: 4, maxLength: letters });
    return { field, value: () => (new TextEncoder().encode(field.value).length <= letters ? field.value : null) };
  },
};

const wanted = {
  choice: () => "Please choose one.",
  number: ({ least, most }) => `Please give a number from ${least} to ${most}.`,
  text: () => "That is too long.",
};

/** Asks until there is an answer. */
async function answerTo(stage, question) {
  const { field, value } = inputs[question.kind](question), note = make("p", { role: "status" });
  field.setAttribute("aria-label", question.text);
  for (;;) {
    await stage.ask("A question", [...paragraphs(question.text), field, note], ["Continue"]);
    const answer = value();
    if (answer !== null) return answer;
    note.textContent = wanted[question.kind](question);
  }
}

// ---- The course ----

function newParticipant() {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

class Course {
  constructor(study, host, store, tools) {
    Object.assign(this, { study, host, store, tools, stage: new Stage(host) });
    this.names = study.packs.flat(), this.limits = study.limits ?? {}, this.attempts = study.attempts ?? 1;
    this.status = make("p", { role: "status" });
    this.sender = new Sender(store, host.collect, { ...tools, onchange: () => this.tell() });
  }

  async run() {
    this.state = await this.store.state();
    if (!this.state && !(await this.agree())) return;
    globalThis.addEventListener?.("online", () => this.sender.run());
    this.sender.run();
    if (!this.state.order) await this.place();
    if (!this.state.began) await this.start();
    while (this.state.at < this.state.order.length && !this.isOver()) await this.episode();
    await this.end();
  }

  /** Nothing is kept of anybody who has not agreed. */
  async agree() {
    const { texts, name } = this.study, participant = newParticipant();
    await this.stage.text("Welcome", texts.welcome, "Continue");
    const said = await this.stage.text("Your consent", texts.consent, "I agree", "I do not agree");
    if (said !== "I agree") {
      this.stage.text("Thank you", "Nothing was kept. You can close this page.");
      return false;
    }
    this.state = { participant, at: 0, ordinal: 0, attempt: 0, asked: 0, isPlayed: false };
    await this.store.keep(this.state, { text: JSON.stringify({ join: 1, study: name, participant }) });
    return true;
  }

  /** The server counts participants. If it does not answer for a while, the participant's number decides. */
  async place() {
    const { study, state, sender } = this;
    const isWanted = () => study.order === "balanced" && sender.address && sender.place === null && !sender.isGone;
    for (let tries = 0; isWanted() && tries < 40; tries++) await this.tools.wait(200);
    await this.keep({ order: orderOf(study, state.participant, sender.place) });
  }

  async start() {
    await this.stage.text("Instructions", this.study.texts.instructions, "Begin");
    await this.keep({ began: this.tools.now() });
  }

  async keep(changes, ...texts) {
    Object.assign(this.state, changes);
    await this.store.keep(this.state, ...texts.map((text) => ({ text })));
    if (texts.length) this.sender.run();
  }

  isOver() {
    const { minutes } = this.limits;
    const isLate = minutes && this.tools.now() - this.state.began > 60000 * minutes;
    return this.sender.isGone || (isLate && !this.state.isPlayed);
  }

  /** Plays an episode, or goes on behind it where a reload has interrupted that. */
  async episode() {
    const { state } = this;
    if (!state.isPlayed) await this.play();
    await this.questions();
    await this.keep({ at: state.at + 1, attempt: 0, asked: 0, isPlayed: false });
  }

  /** An attempt counts from its beginning: who reloads the page has seen the episode. */
  async play() {
    const { state, study, limits } = this;
    for (;;) {
      await this.keep({ attempt: state.attempt + 1 });
      const { participant, ordinal, attempt } = state, who = { participant, study: study.name, ordinal, attempt };
      this.stage.clear();
      const tape = await this.host.play({
        name: this.names[state.order[state.at]], look: study.look, mode: study.mode,
        undo: Boolean(study.undo), hint: Boolean(study.hint),
        seconds: limits.seconds ?? 0, actions: limits.actions ?? 0, ...who,
      });
      const isLast = tape.success || attempt >= this.attempts;
      const person = { hints: 0, undos: 0, expert: [], milliseconds: [], ...tape.person, ...who };
      await this.keep({ ordinal: ordinal + 1, isPlayed: isLast }, JSON.stringify({ ...tape, person }));
      if (isLast || (await this.goesOn())) return this.keep({ isPlayed: true });
    }
  }

  async goesOn() {
    const left = this.attempts - this.state.attempt;
    return (await this.stage.text("Not solved", `You may try again (${left} left).`, "Try again", "Go on")) === "Go on";
  }

  async questions() {
    const { study, state } = this, after = state.at + 1;
    const isAsked = ({ after: when }) => {
      if (when === "last") return after === state.order.length;
      return when === "each" || when.includes(after);
    };
    const all = (study.questions ?? []).filter(isAsked);
    while (state.asked < all.length) {
      const question = all[state.asked], value = await answerTo(this.stage, question);
      const who = { study: study.name, participant: state.participant };
      await this.keep({ asked: state.asked + 1 },
        JSON.stringify({ answer: 1, ...who, question: question.name, after, value }));
    }
    if (!all.length && after < state.order.length) await this.between(after);
  }

  /** So that nobody is thrown from one episode into the next. */
  async between(after) {
    await this.stage.text("Next", `${after} of ${this.state.order.length} are done.`, "Continue");
  }

  // ---- The end ----

  async tell() {
    if (!this.isEnding) return;
    const records = await this.store.records(), refused = records.filter((record) => record.refused);
    const waiting = records.length - refused.length - records.filter(({ sent }) => sent).length;
    if (this.sender.isGone) this.status.textContent = "All that was kept of you was deleted, as you asked.";
    else if (!this.host.collect) this.status.textContent = "Please save the file, and hand it in.";
    else if (waiting) this.status.textContent = `${waiting} records are on their way. Please keep this page open.`;
    else if (refused.length) this.status.textContent = `${refused.length} records were refused: ${refused[0].refused}`;
    else this.status.textContent = "Everything has arrived. You can close this page.";
  }

  async saveFile() {
    const texts = (await this.store.records()).filter(({ sent }) => !sent).map(({ text }) => text);
    const isTape = (text) => "tape" in JSON.parse(text), name = `${this.study.name}-${this.state.participant}`;
    const offer = (kind, lines) => {
      if (lines.length) this.tools.save(`${name}-${kind}.jsonl`, new Blob([`${lines.join("\n")}\n`]));
    };
    offer("tapes", texts.filter(isTape));
    offer("answers", texts.filter((text) => !isTape(text)));
  }

  async end() {
    this.isEnding = true;
    if (this.sender.isGone) await this.store.clear();
    const said = `Your number is ${this.state.participant}. With it you can ask for your data to be deleted.`;
    const button = make("button", { type: "button", textContent: "Save what I did", onclick: () => this.saveFile() });
    const below = [make("p", { textContent: said }), this.status, make("div", { className: "row" }, button)];
    this.host.clear?.();
    const title = make("h2", { textContent: "The end" });
    this.stage.root.replaceChildren(title, ...paragraphs(this.study.texts.end), ...below);
    await this.tell();
    await this.sender.run();
    await this.tell();
  }
}

/** A second window of the same study would play the same episodes. */
async function alone(study, host, work) {
  if (!globalThis.navigator?.locks) return work();
  return navigator.locks.request(`seedbed-study-${study.name}`, { ifAvailable: true }, (lock) => {
    if (lock) return work();
    host.root.textContent = "This study is open in another window. Please go on there.";
    return undefined;
  });
}

/** Leads a participant through a study, to its end. `tools` replaces what tests do not want from the browser. */
export async function runStudy(study, host, tools = {}) {
  const all = { fetch: (...request) => fetch(...request), wait: pause, now: () => Date.now(), save, ...tools };
  return alone(study, host, async () => new Course(study, host, all.store ?? (await openStore(study)), all).run());
}
