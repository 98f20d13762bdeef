/* What playing takes of memory: prints it when the named episodes were played for a while, and after 100,000 more steps.
 *
 *   node tests/web/heap.js PACKAGE NAME... */
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const { load } = await import(pathToFileURL(resolve(process.argv[2], "seedbed.js")));
const seedbed = await load();
const STEPS = 100000;
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

/** Plays the episodes one after the other, and returns the memory that is held then. */
function playAll(steps) {
  for (const name of names) {
    const env = seedbed.make(name);
    play(env, steps);
    env.close();
  }
  return seedbed.memory;
}

const first = playAll(500);
console.log(JSON.stringify({ first, last: playAll(Math.ceil(STEPS / names.length)), steps: STEPS }));
