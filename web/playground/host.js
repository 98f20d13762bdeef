/** What a study is given to lead a participant with: episodes that are played within limits, and room for texts. */
import { $ } from "./dom.js";

export class Host {
  constructor(game, collect) {
    this.game = game;
    this.root = $("root");
    this.collect = collect;
  }

  /**
   * Shows one episode; the promise is of its tape, once it is over or a limit is reached. Its picture stays until
   * `clear`, or until the next one.
   */
  play({
    name,
    look,
    mode,
    undo = false,
    hint = false,
    seconds = 0,
    actions = 0,
    participant,
    study,
    ordinal = 0,
    attempt = 1,
  }) {
    const { game } = this;
    document.body.classList.add("playing");
    $("game").hidden = false;
    return new Promise((resolve, reject) => {
      let timer = null, clock = null;
      const onend = (tape) => {
        clearTimeout(timer), clearInterval(clock);
        if (!game.shown.standing.done) game.tell("That was the limit.");
        resolve(tape);
      };
      const person = { participant, study, ordinal, attempt };
      game.open(name, { look, mode, undo, hint, actions, person, onend }).then((isOpen) => {
        if (!isOpen) return reject(new Error(`${name}: ${$("message").textContent}`));
        if (!seconds) return undefined;
        const end = performance.now() + 1000 * seconds;
        timer = setTimeout(() => game.finish(), 1000 * seconds);
        clock = setInterval(() => {
          $("title").textContent = `${Math.max(0, Math.ceil((end - performance.now()) / 1000))} s`;
        }, 500);
        return undefined;
      });
    });
  }

  /** Takes the last picture away. */
  clear() {
    $("game").hidden = true;
    document.body.classList.remove("playing");
  }
}
