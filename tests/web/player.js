/* A scripted person: plays what standard input says with the playground's own player code, and prints the tapes.
 *
 *   node tests/web/player.js PACKAGE PLAYGROUND
 *
 * Each line has `name`, `actions`, perhaps `start`, and `wrong`: after so many actions another one is taken and taken back. */
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const [, , library, playground] = process.argv;
const from = (folder, file) => import(pathToFileURL(resolve(folder, file)));
const { load } = await from(library, "seedbed.js"), { Session } = await from(playground, "session.js");
const { Play, withPerson, withoutPerson } = await from(playground, "record.js");
const seedbed = await load(), session = new Session(seedbed);

/** Takes an action that is not meant, and goes back. */
function err(play, action) {
  const before = [...play.actions];
  session.step(action);
  play.took(action, performance.now());
  const taken = [...play.actions];
  play.undo();
  session.go(before, taken);
}

function play({ name, actions, start, wrong }) {
  const made = start ? seedbed.library({ starts: [{ name, document: start }] }) : null;
  const { about } = session.open(name, made ?? seedbed), played = new Play(name, { ordinal: 3 });
  for (const action of actions) {
    if (played.actions.length % wrong === wrong - 1) err(played, (action + 1) % about.buttons.length);
    session.step(action);
    played.took(action, performance.now(), played.actions.length % 5 === 4);
  }
  const line = withPerson(session.tape("human"), played);
  session.close();
  made?.close();
  return line;
}

for await (const line of createInterface({ input: process.stdin })) {
  const tape = play(JSON.parse(line));
  console.log(JSON.stringify({ tape, own: withoutPerson(tape) }));
}
