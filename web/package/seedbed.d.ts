/** Fetches the module and makes it ready. Without a source it is `seedbed.wasm` beside this file; Vite and webpack put it there. */
export function load(source?: string | URL | BufferSource | WebAssembly.Module, options?: {
  /** Is called while an episode starts, if that takes long: so many `states met` are done, of at most so many. */
  onProgress?: (progress: { what: string; done: number; of: number }) => void;
}): Promise<Seedbed>;

/** What the library refused: one line that says what is wrong and what to do. */
export class SeedbedError extends Error {
  readonly code: "ok" | "invalid" | "unknown" | "io" | "memory" | "mismatch" | "version" | "finished";
}

export interface Seedbed {
  /** Starts an episode by its name, such as `KeyDoorPuzzle-v0/medium#42` or `babyai:GoTo#5`. */
  make(name: string): Environment;
  /** Plays a tape and checks its end; throws if it differs. The environment is where the tape ends. */
  replay(tape: string): Environment;
  /** Takes a tape apart and plays nothing. */
  readTape(tape: string): Tape;
  /** All families with their tasks, modes and looks. */
  families(): Family[];
  /** Bytes of memory that the module holds. They only grow. */
  readonly memory: number;

  /** A Seedbed that also knows these: programs in Autumn, and what episodes start from that take long to find. */
  library(added?: { programs?: string[]; starts?: { name: string; document: string }[] }): Seedbed;
  /** The names of the tasks that its programs give. */
  readonly programs: string[];
  /** Makes no more environments. What the library added is freed when its environments are closed. */
  close(): void;
}

/** One episode. Memory is freed by `close`, or some time after nobody refers to the environment any more. */
export interface Environment {
  readonly about: About;
  readonly name: string;
  /** What a solver should know of the task, in Markdown; of a test, what its agent is told. May be empty. */
  readonly page: string;
  readonly standing: Standing;
  readonly done: boolean;
  /** 32 hexadecimal digits; equal keys are the same game from here on. */
  readonly key: string;

  /** Starts this episode again, or another one. */
  reset(name?: string): this;
  /** Takes an action, by its number or its name; throws, and takes no step, if there is no such action. */
  step(action: number | string): Standing;
  /** The observation as text, by the name or the number of a mode; without one the family's usual mode. */
  observe(mode?: string | number): string;
  /** Which actions may have an effect: an action that is masked out provably has none. */
  mask(): Mask;
  /** Which actions the published environments list as valid: a hint. */
  valid(): Mask;
  /** Throws if there is no such action. */
  actionName(action: number): string;
  parseAction(text: string): number;
  /** The number of the click on a cell; throws if it is outside. */
  click(x: number, y: number): number;
  /** A picture of what the agent is shown. `new ImageData(picture.data, picture.width)` goes onto a canvas. */
  picture(options?: PictureOptions): Picture;

  /** How many frames the last action has shown, at least 1. */
  readonly frames: number;
  /** Shows one of them, from 0, in place of the last until the next step: do so in a clone. */
  showFrame(frame: number): this;

  /** What an oracle would do now (`about.agents` lists them). Who remembers is shown the episode from its start. */
  hint(agent?: string): Hint;
  /** Sentences that say why the action of the last `hint` is right; empty if nothing is known. Deeper takes longer. */
  reason(depth?: "intent" | "plan" | "search"): string;
  /** The tape of what was played: a line of JSON. `agent` says who played: letters, digits and `._-+`. */
  tape(agent?: string): string;
  /** Like `Seedbed.replay`, in this environment. */
  replay(tape: string): this;

  /** A copy that goes its own way. */
  clone(): Environment;
  /** Makes this environment what the copy is: undo. */
  restore(from: Environment): this;
  close(): void;
}

export interface Standing {
  /** The rewards of the last step, sparse and dense, and their sums. */
  reward: number;
  dense: number;
  total: number;
  denseTotal: number;
  score: number;
  steps: number;
  maxSteps: number;
  level: number;
  levels: number;
  terminated: boolean;
  truncated: boolean;
  success: boolean;
  /** The world failed: the episode ended in the state before the step. */
  fault: boolean;
  done: boolean;
}

export interface Task {
  task: string;
  category: string;
  summary: string;
  /** How it is judged. */
  judged_by: "success" | "score" | "nothing";
  skills: string[];
  agents: string[];
}

export interface About extends Task {
  name: string;
  family: string;
  difficulty: string;
  /** A 64-bit number, as text. */
  seed: string;
  rules: string;
  /** Names of the first actions. Clicks follow, row by row. */
  buttons: string[];
  /** Width and height of the click area, or null. */
  click: [number, number] | null;
  /** What this episode asks for, where tasks leave that open; else empty. */
  mission: string;
  /** Steps a second when a person plays in real time; 0: the world waits. */
  rate: number;
  /** The kind of a test, in which nothing is taken back; empty: it is none. */
  test: string;
  modes: Mode[];
  looks: Look[];
}

export interface Family {
  family: string;
  rules: string;
  modes: Mode[];
  looks: Look[];
  /** `derived` are difficulties whose episodes take long to find. */
  tasks: (Task & { difficulties: string[]; derived: string[] })[];
}

export interface Mode {
  name: string;
  /** The text is JSON. */
  document: boolean;
  /** It shows more than the agent may see. */
  privileged: boolean;
}

export interface Look {
  name: string;
  summary: string;
  /** A side of a cell in pixels that suits people; 0: pictures have one size. */
  tile: number;
  privileged: boolean;
}

export interface Mask {
  buttons: boolean[];
  /** One answer for all clicks. */
  click: boolean;
}

export interface PictureOptions {
  look?: string | number;
  /** Side of a cell in pixels; 0: 8. */
  tile?: number;
  /** Side of the picture, for the look `isometric`; 0: 512. */
  size?: number;
  /** For the look `flat`: an odd number of cells around the agent; 0: the whole grid. */
  view?: number;
  /** For the look `flat`: the two rows below the grid. */
  panel?: boolean;
}

export interface Picture {
  width: number;
  height: number;
  /** Red, green, blue, alpha; rows from the top. */
  data: ReturnType<typeof Uint8ClampedArray.from>; // Uint8ClampedArray<ArrayBuffer>, by which TypeScript before 5.7 knows none
}

export interface Hint {
  action: number;
  name: string;
  agent: string;
  /** What the oracle is about to do, in words; empty if it cannot say. */
  intent: string;
  verb?: string;
  object?: string;
  at?: [number, number];
}

export interface Tape {
  name: string;
  agent: string;
  actions: number[];
}
