/* What the experts of the named episodes take of memory: node tests/web/expert.js PACKAGE NAME... */
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const { load } = await import(pathToFileURL(resolve(process.argv[2], "seedbed.js")));
const seedbed = await load();
for (const name of process.argv.slice(3)) {
  const env = seedbed.make(name);
  while (!env.done) env.step(env.hint("expert").action);
}
console.log(JSON.stringify({ memory: seedbed.memory }));
