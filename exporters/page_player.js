"use strict";

// Reads the data of a page on which it is compressed.
const unpackData = async () => {
  const bytes = Uint8Array.from(atob(document.getElementById("data").textContent), letter => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
};

// Draws pictures of episodes from an atlas, a picture of square tiles.
class Painter {
  constructor({side, columns, png}) {
    Object.assign(this, {side, columns});
    this.image = new Image();
    this.image.src = png;
    this.ready = this.image.decode();
  }

  // Brings a canvas from the picture after step `from` to the one after step `to`; `from` -1: draws it anew.
  draw(canvas, episode, from, to) {
    const context = canvas.getContext("2d");
    if (from < 0 || from > to) {
      [canvas.width, canvas.height] = [episode.width, episode.height];
      from = -1;
    }
    for (let step = from + 1; step <= to; step++) this.change(context, episode, episode.pictures[step]);
  }

  // Draws the tiles that a step has changed. A run is: how many tiles to skip, how many follow, and those.
  change(context, episode, runs) {
    const {side, columns, image} = this, across = Math.ceil(episode.width / side);
    for (let i = 0, at = 0; i < runs.length;) {
      at += runs[i];
      const end = i + 2 + runs[i + 1];
      for (i += 2; i < end; i++, at++)
        context.drawImage(image, runs[i] % columns * side, Math.floor(runs[i] / columns) * side, side, side,
                          at % across * side, Math.floor(at / across) * side, side, side);
    }
  }
}

// Plays one episode after another in the elements that every page has.
class Player {
  constructor() {
    for (const id of ["picture", "frame", "said", "at", "back", "play", "on", "form", "own"]) this[id] = document.getElementById(id);
    this.wantsText = false;
    this.at.addEventListener("input", () => this.step(0));
    this.back.addEventListener("click", () => this.step(-1));
    this.on.addEventListener("click", () => this.step(1));
    this.play.addEventListener("click", () => this.toggle());
    this.form.addEventListener("click", () => this.turn());
    document.addEventListener("keydown", event => this.press(event));
  }

  // Shows the start of an episode; `painter` may be null if it has texts.
  open(episode, painter) {
    this.stop();
    Object.assign(this, {episode, painter, shown: -1, last: episode.said.length - 1});
    if (this.own) this.own.hash = episode.name;
    this.at.max = this.last;
    this.form.hidden = !painter || !episode.texts;
    this.arrange();
    this.show(0);
    if (painter) painter.ready.then(() => this.episode === episode && this.paint());
  }

  close() {
    this.stop();
    this.episode = null;
  }

  arrange() {
    const asText = !this.painter || (this.wantsText && this.episode.texts);
    this.picture.hidden = Boolean(asText);
    this.frame.hidden = !asText;
    this.form.textContent = asText ? "picture" : "text";
  }

  turn() {
    this.wantsText = !this.wantsText;
    this.arrange();
  }

  paint() {
    const {painter, picture, episode, shown} = this, step = Number(this.at.value);
    if (!painter || !painter.image.complete) return;
    painter.draw(picture, episode, shown, step);
    if (shown < 0) this.size();
    this.shown = step;
  }

  // Small pictures are shown larger, in whole numbers. In a window that is too narrow, rows of pixels would be left out: those are mixed.
  size() {
    const {picture, episode} = this;
    picture.style.width = `${episode.width * Math.max(1, Math.floor(512 / episode.width))}px`;
    picture.style.imageRendering = picture.clientWidth && picture.clientWidth < episode.width ? "auto" : "";
  }

  show(step) {
    const {episode, last} = this, line = number => episode.lines[number];
    step = Math.max(0, Math.min(last, step));
    this.at.value = step;
    if (episode.texts) this.frame.textContent = episode.texts[step].map(line).join("\n");
    this.said.textContent = `step ${step} of ${last}: ${line(episode.said[step])}` + (step === last ? ` - ${episode.outcome}` : "");
    this.paint();
    this.onshow?.(episode, step);
    if (step === last) this.stop();
  }

  step(by) {
    this.stop();
    this.show(Number(this.at.value) + by);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.play.textContent = "play";
  }

  toggle() {
    if (this.timer) return this.stop();
    if (Number(this.at.value) === this.last) this.show(0);
    this.timer = setInterval(() => this.show(Number(this.at.value) + 1), 200);
    this.play.textContent = "pause";
  }

  press(event) {
    if (!this.episode || ["SELECT", "INPUT"].includes(event.target.tagName) || event.ctrlKey || event.altKey || event.metaKey) return;
    const keys = {ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), Home: () => this.step(-Infinity),
                  End: () => this.step(Infinity), p: () => this.toggle(), t: () => this.form.hidden || this.turn()};
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }
}
