/** The worker: it holds a session, does what the page asks, one thing after another, and answers. */
import { load } from "../package/seedbed.js";
import { Session } from "./session.js";
import { contentOf } from "./small.js";

const OFTEN = 100; // milliseconds between two tellings of progress
const SMALL_TILE = 8, SMALL = 320; // pixels of small pictures: a side of a cell, or of a picture without cells

let seedbed = null, session = null, library = null, taken = [], thinksOf = "";
let asked = 0; // the question that is being answered
let told = 0; // when progress was told last

/** The library for an episode: brought programs, and what it starts from. It is made anew only for others. */
function libraryFor({ programs = [], start = null, name }) {
  const key = JSON.stringify([programs, start ? name : null]);
  if (library?.key === key) return library.made;
  session.close();
  thinksOf = ""; // nothing is open
  library?.made.close();
  library = null;
  if (!programs.length && !start) return seedbed;
  library = { key, made: seedbed.library({ programs, starts: start ? [{ name, document: start }] : [] }) };
  return library.made;
}

function tellProgress(progress) {
  const now = performance.now();
  if (progress.done && now - told < OFTEN) return;
  told = now;
  postMessage({ id: asked, progress });
}

const does = {
  async begin({ module }) {
    seedbed = await load(module, { onProgress: tellProgress });
    session = new Session(seedbed);
  },
  families: ({ programs }) => (programs?.length ? libraryFor({ programs }) : seedbed).families(),
  programs({ programs }) {
    const made = seedbed.library({ programs });
    const names = made.programs;
    made.close();
    return names;
  },
  /** Opens an episode, and goes to where actions lead. */
  open(episode) {
    const opened = session.open(episode.name, libraryFor(episode));
    session.go(episode.actions ?? [], []);
    taken = [...(episode.actions ?? [])];
    return { ...opened, shown: session.show(episode.view) };
  },
  step({ action, view }) {
    session.step(action);
    taken.push(action);
    return session.show(view);
  },
  go({ actions, view }) {
    session.go(actions, taken);
    taken = [...actions];
    return session.show(view);
  },
  show: ({ view }) => session.show(view),
  /** What an agent would do in a state, which need not be the one that was asked about last. */
  hint(asked) {
    const key = JSON.stringify([asked.name, asked.programs]);
    if (thinksOf !== key) {
      thinksOf = "";
      session.open(asked.name, libraryFor(asked));
      [thinksOf, taken] = [key, []];
    }
    session.go(asked.actions, taken);
    taken = [...asked.actions];
    return session.hint(asked.agent, asked.depth);
  },
  tape: ({ agent }) => session.tape(agent),
  /** Replays a tape against what it claims. */
  check({ line, ...episode }) {
    const env = libraryFor(episode).replay(line);
    env.close();
  },
  readTape: ({ line, programs }) => (programs?.length ? libraryFor({ programs }) : seedbed).readTape(line),
  /** A small picture of an episode at its start. */
  thumbnail(episode) {
    const { about } = session.open(episode.name, libraryFor(episode));
    const look = about.looks.at(-1);
    if (!look) return null;
    const scale = look.tile ? { tile: SMALL_TILE } : { size: SMALL };
    const { picture } = session.show({ look: look.name, ...scale });
    return { ...picture, content: look.tile ? null : contentOf(picture) };
  },
};

/** The buffers of pictures in an answer, which are handed over instead of copied. */
function buffersOf(answer) {
  const pictures = [
    answer,
    answer?.picture,
    ...(answer?.frames ?? []),
    answer?.shown?.picture,
    ...(answer?.shown?.frames ?? []),
  ];
  return pictures.map((picture) => picture?.data?.buffer).filter(Boolean);
}

addEventListener("message", async ({ data: { id, ask, given } }) => {
  asked = id;
  try {
    const answer = await does[ask](given);
    postMessage({ id, answer }, buffersOf(answer));
  } catch (error) {
    postMessage({ id, error: error.message });
  }
});
