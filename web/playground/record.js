/** What a person did in an episode, beside the actions themselves, and the tape that says so. */

export class Play {
  /** `about` says who plays: participant, study, ordinal, attempt; what is undefined stays out of the tape. */
  constructor(name, about = {}) {
    Object.assign(this, { name, about, actions: [], milliseconds: [], expert: [], hints: 0, undos: 0 });
  }

  took(action, milliseconds, byExpert = false) {
    if (byExpert) this.expert.push(this.actions.length);
    this.actions.push(action);
    this.milliseconds.push(Math.max(0, Math.round(milliseconds)));
  }

  /** Takes the last action back; whether there was one. */
  undo() {
    if (!this.actions.length) return false;
    this.actions.pop();
    this.milliseconds.pop();
    this.expert = this.expert.filter((step) => step < this.actions.length);
    this.undos++;
    return true;
  }

  /** The member `person` of the tape. */
  person() {
    const { participant, study, ordinal = 0, attempt = 1 } = this.about;
    const { hints, undos, expert, milliseconds } = this;
    return { participant, study, ordinal, attempt, hints, undos, expert, milliseconds };
  }
}

/** Adds who played to a tape as the module writes it. The rest stays as it is, byte for byte. */
export function withPerson(line, play) {
  return `${line.trim().slice(0, -1)}, "person": ${JSON.stringify(play.person())}}`;
}

/** The tape without it: what replay judges. */
export function withoutPerson(line) {
  const tape = line.trim(), at = tape.lastIndexOf(", \"person\": {");
  return at < 0 ? tape : `${tape.slice(0, at)}}`;
}

/** A tape as an object. Its text is there as `line`, which copies and JSON leave out. */
export function tapeObject(line) { return Object.defineProperty(JSON.parse(line), "line", { value: line }); }
