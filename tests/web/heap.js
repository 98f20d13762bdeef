/* What playing takes of memory: prints it when each of the named episodes had a turn, and after 100,000 more steps.
 *
 *   node tests/web/heap.js PACKAGE NAME... */
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const { load } = await import(pathToFileURL(resolve(process.argv[2], "seedbed.js")));
const seedbed = await load();
const STEPS = 100000, TURN = 1500; // TURN: of an episode, before the next has its turn
const names = process.argv.slice(3);

/** Steps, texts, pictures, masks and undo, as a person plays. */
function play(env, steps) {
  const { buttons, looks } = env.about;
  const before = env.clone();
  for (let i = 0; i < steps; i++) {
    if (env.done) env.reset();
    if (i % 50 === 0) before.restore(env);
    env.step(i % buttons.length);
    if (i % 100 === 0) env.observe(), env.mask(), env.picture({ look: looks[0].name });
    if (i % 1000 === 49) env.restore(before);
  }
  before.close();
}

/** Plays the episodes one after the other, and returns how many steps that took. */
function playAll() {
  for (const name of names) {
    const env = seedbed.make(name);
    play(env, TURN);
    env.close();
  }
  return TURN * names.length;
}

playAll();
const first = seedbed.memory;
let steps = 0;
while (steps < STEPS) steps += playAll();
console.log(JSON.stringify({ first, last: seedbed.memory, steps }));
