/** Which keys actions have, as in `seedbed play`: those that people expect of names, then digits, then letters. */

const EXPECTED = {
  move_up: ["ArrowUp", "w"],
  move_down: ["ArrowDown", "s"],
  move_left: ["ArrowLeft", "a"],
  move_right: ["ArrowRight", "d"],
  up: ["ArrowUp", "w"],
  down: ["ArrowDown", "s"],
  left: ["ArrowLeft", "a"],
  right: ["ArrowRight", "d"],
  turn_left: ["ArrowLeft", "a"],
  turn_right: ["ArrowRight", "d"],
  forward: ["ArrowUp", "w"],
  go_forward: ["ArrowUp", "w"],
  move_forward: ["ArrowUp", "w"],
  interact: [" ", "e"],
  toggle: [" ", "t"],
  pickup: ["p"],
  pick_up: ["p"],
  drop: ["o"],
  noop: ["."],
  done: ["x"],
  step: ["ArrowRight", "d"],
  rewind: ["ArrowLeft", "a"],
  ACTION1: ["ArrowUp", "w", "1"],
  ACTION2: ["ArrowDown", "s", "2"],
  ACTION3: ["ArrowLeft", "a", "3"],
  ACTION4: ["ArrowRight", "d", "4"],
  ACTION5: [" ", "e", "5"],
  ACTION7: ["z", "7"],
};
const SIGNS = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", " ": "space" };
const COMMANDS = "u?rnv"; // of the page itself
const OF_CLICKS = "hjklc"; // where there is a click area
const LONG = 10; // a series of more gets a slider

export function signOf(key) { return SIGNS[key] ?? key; }

/**
 * Buttons whose names are a stem and numbers that follow one another, such as `choose_frame_0`, `choose_frame_1`;
 * null: fewer than two.
 */
export function findSeries(names, offered) {
  const found = [];
  for (let action = 0; action < names.length; action++) {
    const [, stem, digits] = /^(.*?)(\d{1,3})$/.exec(names[action]) ?? [];
    const last = found.at(-1);
    const follows = last && offered[action] && last.stem === stem && last.number + 1 === Number(digits);
    if (found.length > 1 && !follows) break;
    if (!follows) found.length = 0;
    if (digits && offered[action] && !EXPECTED[names[action]]) found.push({ stem, number: Number(digits), action });
  }
  if (found.length < 2) return null;
  return {
    stem: found[0].stem,
    number: found[0].number,
    first: found[0].action,
    last: found.at(-1).action,
    isLong: found.length > LONG,
  };
}

/** Binds the buttons that are offered: [{action, name, keys}], and the series among them. */
export function bindKeys(names, offered, hasClicks) {
  const series = findSeries(names, offered),
    taken = new Set([...COMMANDS, ...(hasClicks ? OF_CLICKS : "")]);
  const bound = names
    .map((name, action) => ({ name, action, keys: [] }))
    .filter(({ action }) => offered[action] && !isIn(series, action));
  const take = (binding, key) => {
    if (taken.has(key)) return;
    taken.add(key);
    binding.keys.push(key);
  };
  for (const binding of bound) for (const key of EXPECTED[binding.name] ?? []) take(binding, key);
  if (series)
    for (let digit = series.number; digit < Math.min(10, series.number + series.last - series.first + 1); digit++)
      taken.add(String(digit));
  for (const letters of [null, "0123456789abcdefghijklmnopqrstuvwxyz"])
    for (const binding of bound)
      for (const key of letters ?? binding.name.toLowerCase().replaceAll(/[^a-z0-9]/g, ""))
        if (!binding.keys.length) take(binding, key);
  return { bound, series, walks: Boolean(series) && !taken.has("ArrowLeft") && !taken.has("ArrowRight") };
}

function isIn(series, action) { return series && action >= series.first && action <= series.last; }

/** The action of a key; undefined: it has none. `at` is the member of the series that was taken last. */
export function actionOfKey({ bound, series, walks }, key, at) {
  const binding = bound.find(({ keys }) => keys.includes(key));
  if (binding || !series) return binding?.action;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
  const action = /^\d$/.test(key)
    ? series.first + Number(key) - series.number
    : walks && step
      ? (at ?? series.first) + step
      : undefined;
  return isIn(series, action) ? action : undefined;
}
