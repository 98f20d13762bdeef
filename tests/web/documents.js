/* Prints what modes that are documents show of the named episodes at their start: node tests/web/documents.js PACKAGE NAME... */
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const { load } = await import(pathToFileURL(resolve(process.argv[2], "seedbed.js")));
const seedbed = await load();
for (const name of process.argv.slice(3)) {
  const env = seedbed.make(name);
  for (const mode of env.about.modes.filter((mode) => mode.document))
    console.log(JSON.stringify({ name, mode: mode.name, text: env.observe(mode.name) }));
}
