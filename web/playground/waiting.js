/** What is shown and said while something takes long: for how long, how far it has come, and a button that ends it. */
import { $ } from "./dom.js";

const SLOW = 250; // milliseconds after which one is told
const SAID = 10; // seconds between two sentences for screen readers

/** `states met: 1200 of at most 3000`; empty: nothing is known. */
export function countOf(progress) {
  return progress ? `${progress.what}: ${progress.done} of at most ${progress.of}` : "";
}

export class Waiting {
  #began = performance.now();
  #progress = null;
  #said = null; // what was counted, and when, in the last sentence for screen readers
  #timers;

  constructor(what, cancel) {
    this.what = what;
    $("cancel").onclick = cancel;
    this.#timers = [setTimeout(() => this.#show(), SLOW), setInterval(() => this.#show(), 1000)];
  }

  hear(progress) {
    this.#progress = progress;
    if (!$("busy").hidden) this.#show();
  }

  #show() {
    const seconds = Math.floor((performance.now() - this.#began) / 1000), { done, of } = this.#progress ?? {};
    const [, text, bar, count] = $("busy").children;
    $("busy").hidden = false;
    text.textContent = `${this.what} ...${seconds ? ` ${seconds} s` : ""}`;
    count.textContent = countOf(this.#progress);
    bar.hidden = !this.#progress;
    if (this.#progress) Object.assign(bar, { max: of, value: done });
    this.#say(seconds);
  }

  /** Screen readers hear of each kind of work as it begins, and then only now and then. */
  #say(seconds) {
    const counted = this.#progress?.what ?? "";
    if (this.#said && this.#said.counted === counted && seconds - this.#said.seconds < SAID) return;
    this.#said = { counted, seconds };
    $("waiting").textContent = [this.what, countOf(this.#progress)].filter(Boolean).join(", ");
  }

  end() {
    for (const timer of this.#timers) clearTimeout(timer), clearInterval(timer);
    $("busy").hidden = true;
    $("waiting").textContent = "";
  }
}
