/* Plays in the WebAssembly module what tests/web_test.py played natively, and says what differs.
 *
 *   node tests/web/compare.js PACKAGE <LINES
 *
 * Each line is an episode: `name`, `actions`, `sum` (SHA-256 over what every step gave), and perhaps `digest` (of its tape), `texts` (mode to
 * SHA-256 over the texts), `pictures` (look to SHA-256), `every` (texts and pictures are of every so many steps), `hints` (agent to actions).
 * The last line is an object that counts. */
import { createHash } from "node:crypto";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const { load } = await import(pathToFileURL(resolve(process.argv[2], "seedbed.js")));
const seedbed = await load();
const counts = { episodes: 0, steps: 0, texts: 0, pictures: 0, hints: 0, tapes: 0, differ: 0, memory: 0 };

const sha256 = () => createHash("sha256");

function differs(name, what) {
  counts.differ++;
  console.log(`${name}: ${what} differ`);
}

function add(sum, env, standing) {
  const bytes = Buffer.alloc(17);
  bytes.writeDoubleLE(standing.reward, 0);
  bytes.writeDoubleLE(standing.dense, 8);
  bytes[16] = standing.terminated | standing.truncated << 1 | standing.success << 2;
  sum.update(env.key, "ascii").update(bytes);
}

function look(env, sums) {
  for (const [mode, sum] of sums.texts) sum.update(env.observe(mode)), counts.texts++;
  for (const [shown, sum] of sums.pictures) {
    const { width, height, data } = env.picture({ look: shown });
    const pixels = Buffer.alloc(3 * width * height);
    for (let from = 0, to = 0; from < data.length; from += 4, to += 3) pixels.set(data.subarray(from, from + 3), to);
    sum.update(`${width} ${height} `).update(pixels), counts.pictures++;
  }
}

function play(line) {
  const told = JSON.parse(line);
  const env = seedbed.make(told.name);
  const sum = sha256();
  const sums = {};
  for (const kind of ["texts", "pictures"]) sums[kind] = Object.keys(told[kind] ?? {}).map((key) => [key, sha256()]);
  const every = told.every ?? 1;
  const hints = Object.entries(told.hints ?? {}).map(([agent, actions]) => [agent, actions, env.clone()]);
  add(sum, env, env.standing);
  look(env, sums);
  told.actions.forEach((action, i) => {
    add(sum, env, env.step(action));
    if ((i + 1) % every === 0) look(env, sums);
  });
  if (sum.digest("hex") !== told.sum) differs(told.name, "keys and rewards");
  for (const kind of ["texts", "pictures"])
    for (const [key, made] of sums[kind]) if (made.digest("hex") !== told[kind][key]) differs(told.name, `${kind} ${key}`);
  for (const [agent, actions, copy] of hints) {
    for (const action of actions) {
      counts.hints++;
      if (copy.hint(agent).action !== action) return differs(told.name, `hints of ${agent}`);
      copy.step(action);
    }
    copy.close();
  }
  if (told.digest) {
    counts.tapes++;
    if (JSON.parse(env.tape("expert")).digest !== told.digest) differs(told.name, "digests");
  }
  counts.episodes++;
  counts.steps += told.actions.length;
  env.close();
}

for await (const line of createInterface({ input: process.stdin })) play(line);
counts.memory = seedbed.memory;
console.log(JSON.stringify(counts));
