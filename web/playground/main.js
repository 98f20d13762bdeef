/** The page: from the list of tasks to an episode and back. Its address says which one is open. */
import { Core, unpackText } from "./core.js";
import { $, fill, option, save } from "./dom.js";
import { Game } from "./game.js";
import { Host } from "./host.js";
import { Tasks, placeOf } from "./tasks.js";

const textOf = (id) => $(id)?.textContent ?? "";
const dataOf = (id, otherwise) => ($(id) ? JSON.parse(textOf(id)) : otherwise);

const page = dataOf("page", {});
const core = new Core({
  module: textOf("module"), starts: textOf("starts"), source: textOf("worker"), programs: dataOf("programs", []),
});
const seeds = {};
const game = new Game(core, { onopen: opened, onnews: (text) => say(text) });
const tasks = new Tasks(core, seeds, page.isRestricted, (name) => { location.hash = name; });

globalThis.playground = { core, game, tasks }; // for whoever looks into the page

/** A line above everything, for what is wrong. */
function say(text) {
  $("news").hidden = !text;
  $("news").textContent = text;
}

// ---- Where one is ----

/** What the address names; as it stands there, if it is no text that was escaped. */
function named() {
  const text = location.hash.slice(1);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function turn() {
  const name = named(), isGame = name.includes("#");
  say("");
  $("browse").hidden = isGame;
  $("game").hidden = !isGame;
  if (!isGame) game.stop();
  else if (name !== game.about?.name || game.replay) openEpisode(name);
}

async function openEpisode(name) {
  if (await game.open(name)) return $("game").focus({ preventScroll: true });
  if (game.about) return history.replaceState(null, "", `#${game.about.name}`);
  $("game").hidden = true;
  $("browse").hidden = false;
  return undefined;
}

/** Puts the name of what was opened into the address and the controls. */
async function opened(name) {
  const at = name.lastIndexOf("#"), [place, seed] = [name.slice(0, at), name.slice(at + 1)];
  if (named() !== name && !document.body.classList.contains("playing")) history.replaceState(null, "", `#${name}`);
  document.title = `${name} - Seedbed playground`;
  $("seed").value = seed;
  const family = tasks.families?.find((one) => one.family === game.about.family);
  const task = family?.tasks.find((one) => one.task === game.about.task);
  const levels = task ? tasks.levelsOf(family.family, task) : [game.about.difficulty];
  fill(
    $("difficulty"),
    (levels.includes(game.about.difficulty) ? levels : [...levels, game.about.difficulty]).map((level) =>
      option(level),
    ),
  );
  $("difficulty").value = game.about.difficulty;
  $("difficulty").parentElement.hidden = levels.length < 2;
  const listed = await seedsOf(place, task);
  $("listed-row").hidden = !listed.length;
  fill($("listed"), [option("", `${listed.length} seeds`), ...listed.map((one) => option(String(one)))]);
  $("listed").value = listed.some((one) => String(one) === seed) ? seed : "";
}

/** The seeds that the page lists: of packs, official ones, or of the challenges inside. */
async function seedsOf(place, task) {
  if (seeds[place] || !task?.derived.some((level) => place.endsWith(`/${level}`))) return seeds[place] ?? [];
  return (await core.stored())
    .filter((name) => name.startsWith(`${place}#`))
    .map((name) => name.slice(place.length + 1));
}

const placeNow = (level) => placeOf(game.about.family, game.about, level);

async function chooseLevel() {
  const place = placeNow($("difficulty").value),
    family = tasks.families.find((one) => one.family === game.about.family);
  const [first] = await seedsOf(
    place,
    family.tasks.find((one) => one.task === game.about.task),
  );
  location.hash = `${place}#${first ?? $("seed").value}`;
}

async function chooseRandom() {
  const level = $("difficulty").value, listed = [...$("listed").options].slice(1).map(({ value }) => value);
  const isListed = listed.length && (page.isRestricted || game.about.test);
  const seed = isListed ? listed[Math.floor(Math.random() * listed.length)] : Math.floor(Math.random() * 2 ** 31);
  location.hash = `${placeNow(level)}#${seed}`;
}

// ---- Files ----

let fileIsWorld = false;

function askForFile(isWorld) {
  fileIsWorld = isWorld;
  $("file").accept = isWorld ? ".sexp,.txt" : ".jsonl,.json";
  $("file").click();
}

async function takeFile(file) {
  if (!file) return;
  const text = await file.text();
  $("file").value = "";
  try {
    await (fileIsWorld ? addWorld(text) : openTape(text.trim().split("\n")[0]));
  } catch (error) {
    turn();
    say(`${file.name}: ${error.message}`);
  }
}

async function addWorld(text) {
  const [name] = await core.add(text);
  tasks.show(await core.families());
  const family = tasks.families.find((one) => name.startsWith(`${one.family}:`));
  const task = family.tasks.find((one) => `${family.family}:${one.task}` === name);
  location.hash = `${placeOf(family.family, task, task.difficulties[0])}#1`;
}

async function openTape(line) {
  $("browse").hidden = true;
  $("game").hidden = false;
  say("");
  await game.openTape(line);
}

async function saveTape() {
  const { line } = await game.tape();
  save(
    `${game.about.name.replaceAll(/[^A-Za-z0-9-]+/g, "_")}.jsonl`,
    new Blob([`${line}\n`], { type: "application/jsonl" }),
  );
}

async function copyLink() {
  try {
    await navigator.clipboard.writeText(location.href);
    game.tell("The link is copied.");
  } catch {
    game.tell(location.href);
  }
}

// ---- Beginning ----

function listen() {
  const on = (id, kind, does) => $(id).addEventListener(kind, does);
  addEventListener("hashchange", turn);
  on("home", "click", () => {
    location.hash = "";
  });
  (on("difficulty", "change", chooseLevel), on("random", "click", chooseRandom));
  on("seed", "change", () => {
    location.hash = `${placeNow($("difficulty").value)}#${$("seed").value.trim()}`;
  });
  on("listed", "change", () => {
    if ($("listed").value) location.hash = `${placeNow($("difficulty").value)}#${$("listed").value}`;
  });
  (on("open-tape", "click", () => askForFile(false)), on("open-world", "click", () => askForFile(true)));
  on("file", "change", () => takeFile($("file").files[0]));
  on("save-tape", "click", () => (game.replay ? game.tell("This is a replay.") : saveTape()));
  on("save-picture", "click", async () =>
    save(`${game.about.name.replaceAll(/[^A-Za-z0-9-]+/g, "_")}.png`, await game.screen.png()),
  );
  on("copy-link", "click", copyLink);
}

async function begin() {
  if (!globalThis.WebAssembly || !globalThis.DecompressionStream)
    return say("This browser is too old for the playground.");
  core.warm();
  const study = dataOf("study", null);
  listen();
  if (study) return lead(study);
  turn();
  const [families, lists] = await Promise.all([core.families(), unpackText(textOf("seeds"))]);
  Object.assign(seeds, JSON.parse(lists));
  tasks.show(families);
  if (game.about) opened(game.about.name);
  return undefined;
}

async function lead(study) {
  document.body.classList.add("study");
  for (const id of ["top", "browse"]) $(id).hidden = true;
  $("root").hidden = false;
  if (typeof runStudy === "function") await runStudy(study, new Host(game, dataOf("collect", null)));
  else $("root").textContent = "This page has a study inside, which this version of Seedbed cannot lead through.";
}

begin().catch((error) => say(error.message));
