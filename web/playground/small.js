/** Small pictures show what matters of a picture: its largest part, without the margin and the words in it. */
import { flood } from "./flood.js";

/** The box around the largest part that hangs together and is not of the colour of the upper left corner. */
export function contentOf({ width, height, data }) {
  const pixels = new Uint32Array(data.buffer, data.byteOffset, width * height), { length } = pixels;
  const grid = { width, length, seen: new Uint8Array(length), belongs: (at) => pixels[at] !== pixels[0] };
  let most = 0, best = { left: 0, top: 0, width, height };
  for (let start = 0; start < length; start++) {
    if (grid.seen[start] || !grid.belongs(start)) continue;
    const part = flood(start, grid);
    if (part.cells.length > most) [most, best] = [part.cells.length, part];
  }
  return { x: best.left, y: best.top, w: best.width, h: best.height };
}
