/* Says frames as the playground does: each line of standard input has `before` (or null), `now` (texts of the mode `frame`) and `left`.
 *
 *   node tests/web/spoken.js PLAYGROUND */
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const { readFrame, sayFrame } = await import(pathToFileURL(resolve(process.argv[2], "spoken.js")));

for await (const line of createInterface({ input: process.stdin })) {
  const { before, now, left } = JSON.parse(line);
  console.log(JSON.stringify(sayFrame(before && readFrame(before), readFrame(now), left)));
}
