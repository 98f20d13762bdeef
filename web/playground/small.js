/** Small pictures show what matters of a picture: its largest part, without the margin and the words in it. */

/** The box around the largest part that hangs together and is not of the colour of the upper left corner. */
export function contentOf({ width, height, data }) {
  const pixels = new Uint32Array(data.buffer, data.byteOffset, width * height), seen = new Uint8Array(pixels.length);
  const stack = new Int32Array(pixels.length);
  let best = { n: 0, x: 0, y: 0, w: width, h: height };
  for (let start = 0; start < pixels.length; start++) {
    if (seen[start] || pixels[start] === pixels[0]) continue;
    const part = spreadFrom(start, { pixels, seen, stack, width });
    if (part.n > best.n) best = part;
  }
  return best;
}

function spreadFrom(start, { pixels, seen, stack, width }) {
  let [n, left, right, top, bottom, waiting] = [0, width, 0, pixels.length, 0, 0];
  const visit = (at) => {
    if (seen[at] || pixels[at] === pixels[0]) return;
    seen[at] = 1;
    stack[waiting++] = at;
  };
  visit(start);
  while (waiting) {
    const at = stack[--waiting], x = at % width, y = (at - x) / width;
    n++;
    left = Math.min(left, x), right = Math.max(right, x), top = Math.min(top, y), bottom = Math.max(bottom, y);
    if (x > 0) visit(at - 1);
    if (x + 1 < width) visit(at + 1);
    if (at >= width) visit(at - width);
    if (at + width < pixels.length) visit(at + width);
  }
  return { n, x: left, y: top, w: right - left + 1, h: bottom - top + 1 };
}
