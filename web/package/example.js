import { load } from "seedbed";

const seedbed = await load();
const env = seedbed.make("KeyDoorPuzzle-v0/easy#42");
console.log(env.observe("ascii"));
while (!env.done) {
  const { action, name, intent } = env.hint("expert");
  console.log(`${name}: ${intent}`);
  env.step(action);
}
console.log(env.tape("expert"));
