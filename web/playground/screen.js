/** The picture of the state, the frames that lead to it, and the cell that a click means. */
import { isStill, pause } from "./dom.js";

const FRAME = 120; // milliseconds
const TALL = 0.56; // of the window
const WIDEST = 640; // pixels of the page

export class Screen {
  #latest = 0;

  constructor(canvas) {
    this.canvas = canvas;
    this.click = null;
    this.cursor = null;
    this.isDrawn = null; // a promise: the last picture is there
  }

  /** Shows frames one after another, and then the picture; the next call cuts that short. */
  async show(picture, frames = []) {
    const own = ++this.#latest;
    for (const frame of isStill() ? [] : frames) {
      this.#draw(frame);
      await pause(FRAME);
      if (own !== this.#latest) return;
    }
    this.#draw(picture);
  }

  #draw({ width, height, data }) {
    const { canvas } = this;
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    this.image = new ImageData(data, width);
    canvas.getContext("2d").putImageData(this.image, 0, 0);
    this.size();
    this.mark();
  }

  /** Small pictures are shown larger, in eighths, so that tiles keep whole pixels; in a narrow window, smaller. */
  size() {
    const { canvas } = this, room = canvas.parentElement.clientWidth, tall = Math.max(240, innerHeight * TALL);
    const fit = Math.min(room / canvas.width, tall / canvas.height, WIDEST / canvas.width);
    const scale = fit > 1 ? Math.floor(fit * 8) / 8 : fit;
    canvas.style.width = `${Math.floor(canvas.width * scale)}px`;
    canvas.style.imageRendering = scale < 1 ? "auto" : "pixelated";
  }

  /** Draws the cursor of the keyboard around its cell. */
  mark() {
    if (!this.cursor || !this.click || !this.image) return;
    const { canvas, cursor: [x, y], click: [columns, rows] } = this, context = canvas.getContext("2d");
    const [w, h] = [canvas.width / columns, canvas.height / rows];
    context.putImageData(this.image, 0, 0);
    for (const [width, colour] of [[3, "#000"], [1, "#fff"]]) {
      Object.assign(context, { lineWidth: width, strokeStyle: colour });
      context.strokeRect(x * w + 0.5, y * h + 0.5, w - 1, h - 1);
    }
  }

  /** The cell under the pointer. */
  cellAt({ clientX, clientY }) {
    const box = this.canvas.getBoundingClientRect(), [columns, rows] = this.click;
    const cell = (at, from, size, n) => Math.min(n - 1, Math.max(0, Math.floor((at - from) / size * n)));
    return [cell(clientX, box.left, box.width, columns), cell(clientY, box.top, box.height, rows)];
  }

  png() { return new Promise((resolve) => { this.canvas.toBlob(resolve, "image/png"); }); }
}
