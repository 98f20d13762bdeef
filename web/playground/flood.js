/**
 * Returns what hangs together in a grid of `length` cells, in rows of `width`, and the box around it: the start, and all
 * that `belongs` and touches one of it at a side. Cells that are `seen` are left out; those that are taken become so.
 */
export function flood(start, { width, length, seen, belongs }) {
  const cells = [start];
  let [left, right, top, bottom] = [width, 0, length, 0];
  const visit = (at) => {
    if (seen[at] || !belongs(at)) return;
    seen[at] = 1;
    cells.push(at);
  };
  seen[start] = 1;
  for (let i = 0; i < cells.length; i++) {
    const at = cells[i], x = at % width, y = (at - x) / width;
    [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
    if (x > 0) visit(at - 1);
    if (x + 1 < width) visit(at + 1);
    if (at >= width) visit(at - width);
    if (at + width < length) visit(at + width);
  }
  return { cells, left, top, width: right - left + 1, height: bottom - top + 1 };
}
