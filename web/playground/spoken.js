/**
 * What a frame of coloured cells shows, for somebody who cannot see it: what has changed since the frame before, or at
 * first what is there. The sentences are short enough to be heard after each action, and the most important come first.
 */
import { flood } from "./flood.js";

const COLOURS = [
  "white", "off-white", "light grey", "grey", "off-black", "black", "magenta", "light magenta",
  "red", "blue", "light blue", "yellow", "orange", "maroon", "green", "purple",
];
const MOST_WORDS = 60;
const GROUND = 8; // a region of a colour is the ground if it has more than this part of the frame
const PLACES = 3; // of things that are alike
const BEGINS_ANEW = 2; // a frame of which more than this part has changed is told like a first one

/** Takes the text of the mode `frame` apart: rows of hexadecimal digits, and a line on how things stand. */
export function readFrame(text) {
  const lines = text.trim().split("\n"), standing = lines.pop();
  const [, level, levels, state] = /^level (\d+) of (\d+), state (\w+)/.exec(standing) ?? [];
  const rows = lines.slice(0, -1), bar = lines.at(-1) ?? "";
  const lit = [...bar].filter((digit) => digit === bar[0]).length; // the last row: the part of a budget that is left
  return {
    width: rows[0]?.length ?? 0,
    cells: Uint8Array.from(rows.join(""), (digit) => parseInt(digit, 16)),
    left: Math.round(100 * lit / Math.max(1, bar.length)),
    level, levels, state,
  };
}

// ---- Regions: cells of one colour that touch one another at their sides ----

/** The regions of a frame that are no ground, from the top left on. They are kept, for the frame after it. */
export function regionsOf(frame) {
  return frame.regions ??= findRegions(frame);
}

function findRegions({ width, cells }) {
  const seen = new Uint8Array(cells.length), found = [];
  for (let start = 0; start < cells.length; start++) {
    if (seen[start]) continue;
    const region = spread(start, cells, width, seen);
    if (region.cells.length * GROUND <= cells.length) found.push(region);
  }
  return found;
}

function spread(start, all, width, seen) {
  const colour = all[start];
  const { cells, ...box } = flood(start, { width, length: all.length, seen, belongs: (cell) => all[cell] === colour });
  cells.sort((a, b) => a - b);
  const corner = box.top * width + box.left;
  return {
    colour, cells, ...box,
    key: `${colour} ${cells.join()}`,
    place: cells.join(),
    shape: cells.map((cell) => cell - corner).join(),
  };
}

// ---- What has become of them ----

/** Takes the nearest of these that fits out of a list; undefined: none does. */
function takeNearest(list, { left, top }, fits) {
  const distance = (one) => Math.abs(one.left - left) + Math.abs(one.top - top);
  let best = -1;
  list.forEach((one, i) => {
    if (fits(one) && (best < 0 || distance(one) < distance(list[best]))) best = i;
  });
  return best < 0 ? undefined : list.splice(best, 1)[0];
}

/** Pairs regions of two frames: those of one shape and colour, then of one place, then of one colour that overlap. */
export function changesOf(before, now) {
  const stays = new Set(before.map(({ key }) => key)), remains = new Set(now.map(({ key }) => key));
  const gone = before.filter(({ key }) => !remains.has(key));
  let fresh = now.filter(({ key }) => !stays.has(key));
  const changes = [];
  const pair = (kind, fits) => {
    fresh = fresh.filter((to) => {
      const from = takeNearest(gone, to, (one) => fits(one, to));
      if (from) changes.push({ kind, from, to });
      return !from;
    });
  };
  pair("moved", (a, b) => a.colour === b.colour && a.shape === b.shape);
  pair("turned", (a, b) => a.place === b.place);
  pair("changed", (a, b) => a.colour === b.colour && overlaps(a, b));
  return [
    ...changes,
    ...fresh.map((to) => ({ kind: "appeared", to })),
    ...gone.map((from) => ({ kind: "vanished", from })),
  ];
}

function overlaps(a, b) {
  return a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;
}

// ---- Sentences ----

const nameOf = ({ colour, width, height }) => `${COLOURS[colour]} ${width} by ${height}`;
const placeOfRegion = ({ left, top }) => `row ${top} column ${left}`;
const withOthers = (name, n) => (n > 1 ? `${name} and ${n - 1} more` : name);

/** How far, in words: `3 left, 1 down`. */
function wayOf({ from, to }) {
  const dx = to.left - from.left, dy = to.top - from.top;
  const parts = [];
  if (dx) parts.push(`${Math.abs(dx)} ${dx < 0 ? "left" : "right"}`);
  if (dy) parts.push(`${Math.abs(dy)} ${dy < 0 ? "up" : "down"}`);
  return parts.join(", ");
}

function sizeOf({ from, to }) {
  const more = to.cells.length - from.cells.length;
  if (!more) return "changed its shape";
  return `${more > 0 ? "grew" : "shrank"} from ${from.cells.length} to ${to.cells.length} cells`;
}

/** What changes in the same way is told together, by its largest part. */
const TOLD = {
  moved: {
    like: wayOf,
    tell: (name, change) => `${name} moved ${wayOf(change)} to ${placeOfRegion(change.to)}`,
  },
  turned: {
    like: ({ from, to }) => `${from.colour} ${to.colour}`,
    tell: (name, { from, to }) => `${name} turned ${COLOURS[to.colour]} at ${placeOfRegion(from)}`,
  },
  appeared: {
    like: ({ to }) => nameOf(to),
    tell: (name, { to }) => `${name} appeared at ${placeOfRegion(to)}`,
  },
  vanished: {
    like: ({ from }) => nameOf(from),
    tell: (name, { from }) => `${name} vanished at ${placeOfRegion(from)}`,
  },
  changed: {
    like: ({ from }) => String(from.colour),
    tell: (name, change) => `${name} ${sizeOf(change)} at ${placeOfRegion(change.to)}`,
  },
};

/** Puts things together that are alike; each group begins with its largest. */
function grouped(things, like, size) {
  const groups = new Map();
  for (const thing of things) {
    const key = like(thing);
    if (groups.has(key)) groups.get(key).push(thing);
    else groups.set(key, [thing]);
  }
  return [...groups.values()].map((group) => group.sort((a, b) => size(b) - size(a)));
}

function tellChanges(changes) {
  const size = ({ from, to }) => (from ?? to).cells.length;
  return Object.entries(TOLD).flatMap(([kind, { like, tell }]) =>
    grouped(changes.filter((change) => change.kind === kind), like, size).map((group) => {
      const [first] = group;
      return tell(withOthers(nameOf(first.from ?? first.to), group.length), first);
    }));
}

/** Tells a first frame: what there is once, then what there is several times. */
function tellScene(regions) {
  const size = ({ cells }) => cells.length;
  const groups = grouped(regions, nameOf, size).sort((a, b) => a.length - b.length || size(b[0]) - size(a[0]));
  const things = groups.map((group) => {
    const name = group.length > 1 ? `${group.length} ${nameOf(group[0])}` : nameOf(group[0]);
    const places = group.slice(0, PLACES).map(placeOfRegion).join(", ");
    return `${name} at ${places}${group.length > PLACES ? " and elsewhere" : ""}`;
  });
  return [regions.length === 1 ? "1 thing" : `${regions.length} things`, ...things];
}

const wordsIn = (text) => text.split(/\s+/).filter(Boolean).length;

/** As many sentences as there is room for, and how many parts were left out. */
function fit(parts, room) {
  const said = [];
  let n = 0;
  for (const part of parts) {
    if ((n += wordsIn(part)) > room) break;
    said.push(part);
  }
  const left = parts.length - said.length;
  return said.join("; ") + (left ? `; ${left} more ${left > 1 ? "things" : "thing"}` : "");
}

function countChanged(before, now) {
  let n = 0;
  for (let i = 0; i < now.cells.length; i++) n += before.cells[i] !== now.cells[i];
  return n;
}

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

/** Says a frame in at most sixty words. `before`: the frame said last, or null; `left`: steps of the episode. */
export function sayFrame(before, now, left) {
  const head = [], level = `level ${now.level} of ${now.levels}`;
  const isNew = !before || before.level !== now.level;
  if (now.state === "WIN") head.push("the game is won");
  if (now.state === "GAME_OVER") head.push("game over, only a reset goes on");
  if (before && isNew && now.state !== "WIN") head.push(`${level} begins`);
  const tail = [before && isNew ? "" : level, `${now.left} percent of the budget and ${left} steps left`];
  const ends = [...head, ...tail].filter(Boolean), room = MOST_WORDS - wordsIn(ends.join(" ")) - 3;
  const isWhole = isNew || countChanged(before, now) * BEGINS_ANEW > now.cells.length;
  const regions = regionsOf(now);
  const parts = isWhole ? tellScene(regions) : tellChanges(changesOf(regionsOf(before), regions));
  const told = parts.length ? fit(parts, room) : groundChange(before, now);
  return [...head, told, ...tail].filter(Boolean).map(sentence).join(" ");
}

function groundChange(before, now) {
  const n = countChanged(before, now);
  return n ? `${n} cells of the ground changed` : "nothing changed";
}
