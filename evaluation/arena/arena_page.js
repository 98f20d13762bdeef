
(async () => {
  const {colours, games} = await unpackData();
  const $ = id => document.getElementById(id), painter = new FramePainter(colours);
  const played = games.filter(game => game.log.length > 1 && game.steps.length);
  $("none").hidden = played.length > 0;
  if (!played.length) return;
  let game, frames, steps, points;

  const put = (parent, name, text = "", style = "") => {
    const one = document.createElement(name);
    [one.textContent, one.className] = [text, style];
    parent.append(one);
    return one;
  };
  const share = (n, of) => of ? n / of : null;
  const percent = value => value === null || value === undefined ? "-" : `${(100 * value).toFixed(1)} %`;

  // ---- Frames ----

  // A frame that is told as a whole, or by what differs from another one.
  const apply = (frame, change, width) => {
    if (typeof change === "string") return change;
    const cells = [...frame];
    for (const [y, x, signs] of change.d) [...signs].forEach((sign, i) => cells[y * width + x + i] = sign);
    return cells.join("");
  };

  // The frames before and after each step, and the predicted one (null: there is none).
  const unroll = () => {
    const [head, ...lines] = game.log, width = head.width || 64;
    game.width = width;
    game.height = head.height || 64;
    game.colours = head.palette;
    let now = head.start;
    frames = [];
    for (const [i, step] of steps.entries()) {
      const before = now, predicted = step.prediction?.frame ? apply(before, step.prediction.frame, width) : null;
      for (const change of lines[i]?.frames || []) now = apply(now, change, width);
      frames.push({before, predicted, real: now});
    }
  };

  // ---- Curves ----

  const CURVES = [
    ["coverage: predictions that were made, of those due", one => share(one.said, one.due)],
    ["right, of those made", one => share(one.right, one.said)],
    ["right, of all due: missing ones are wrong", one => share(one.right, one.due)],
    ["retrodiction of the model of then: missing ones are wrong", one => one.retrodiction]
  ];

  // What was due, made and right up to each step.
  const count = () => {
    const sum = {due: 0, said: 0, right: 0};
    points = steps.map(step => {
      const isDue = "right" in step;
      sum.due += isDue;
      sum.said += isDue && step.prediction !== null;
      sum.right += isDue && step.right;
      return {...sum, retrodiction: step.retrodiction};
    });
  };

  const BOX = {left: 70, right: 890, top: 20, bottom: 210};
  const across = step => BOX.left + (BOX.right - BOX.left) * (step - 1) / Math.max(1, steps.length - 1);
  const up = value => BOX.bottom - (BOX.bottom - BOX.top) * value;
  const draw = (name, attributes, text = "") => {
    const one = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
    one.textContent = text;
    $("curves").append(one);
    return one;
  };

  const plot = () => {
    $("curves").replaceChildren();
    for (const value of [0, 0.5, 1]) {
      draw("line", {class: "grid", x1: BOX.left, x2: BOX.right, y1: up(value), y2: up(value)});
      draw("text", {x: BOX.left - 8, y: up(value) + 5, "text-anchor": "end"}, `${100 * value} %`);
    }
    draw("text", {x: BOX.left, y: 232}, "step 1");
    draw("text", {x: BOX.right, y: 232, "text-anchor": "end"}, `${steps.length}`);
    CURVES.forEach(([, of], i) => {
      const line = points.map((one, k) => [k + 1, of(one)]).filter(([, value]) => value !== null);
      draw("polyline", {class: `a${i}`, points: line.map(([k, value]) => `${across(k)},${up(value)}`).join(" ")});
    });
    draw("line", {class: "now", id: "now", y1: BOX.top, y2: BOX.bottom});
  };

  const key = point => {
    $("key").replaceChildren();
    CURVES.forEach(([name, of], i) => put($("key"), "li", `${name}: ${percent(of(point))}`, `a${i}`));
  };

  // ---- Scores ----

  const scores = () => {
    const [one] = game.scores, table = $("scores");
    table.replaceChildren();
    const row = (name, value) => {
      const line = put(table, "tr");
      put(line, "th", name);
      put(line, "td", value);
    };
    if (!one) return row("ended by", "nothing yet: the run was interrupted");
    row("ended by", one.end);
    const by = Object.entries(one.choices).filter(([, n]) => n).map(([name, n]) => `, ${n} by ${name}`);
    row("actions", one.actions + by.join(""));
    if (one.n_levels) row("levels", `${one.level} of ${one.n_levels}`);
    if ("rhae" in one || "rhae-proxy" in one) row("score", (one.rhae ?? one["rhae-proxy"]).toFixed(2));
    const {due, said, right, coverage} = one.predictions;
    row("predictions", `${right} right of ${said} made, ${due} due: coverage ${percent(coverage)}`);
    row("retrodiction of the last model", percent(one.retrodiction));
    row("surprises", Object.entries(one.surprises).map(([owner, n]) => `${owner} ${n}`).join(", "));
    row("patches", `${one.patches.accepted} taken of ${one.patches.given}`);
    row("repairs", `${one.repairs.held} of ${one.repairs.repaired} held`);
    for (const [role, spent] of Object.entries(one.roles))
      row(role, [`asked ${spent.asked}`, ...spent.tokens_in ? [`${spent.tokens_in} tokens in, ${spent.tokens_out} out`] : [],
        ...spent.cost ? [`cost ${spent.cost}`] : []].join(", "));
  };

  // ---- A step ----

  const placed = action => action.id + ("x" in action ? ` (${action.x}, ${action.y})` : "");

  const judged = step => {
    const ends = ["done", "over"].filter(end => step.prediction?.[end]).map(end => ` ${end}`);
    const said = step.prediction === null ? "nothing was predicted" : `predicted${ends.join("")}`;
    const verdict = !("right" in step) ? "" : step.right ? ", rightly" : ", wrongly";
    const fields = step.fields?.length ? `; wrong fields: ${step.fields.join(", ")}` : "";
    const tried = Object.entries(step.hypotheses || {}).map(([name, right]) => `${name} ${right ? "right" : "wrong"}`);
    return said + verdict + (step.owner ? `; owner ${step.owner} (${step.part})` : "") + fields
      + (tried.length ? `; hypotheses: ${tried.join(", ")}` : "");
  };

  const tell = step => {
    $("told").replaceChildren();
    if (step.told) put($("told"), "li", `${step.told}: the error in ${step.part} at step ${step.t}`);
    for (const one of game.chat.filter(one => one.step === step.t))
      put($("told"), "li", `${one.from} to ${one.to}: ${one.text}`);
    if (!$("told").children.length) put($("told"), "li", "nobody");
  };

  // An artifact's text before a revision: the whole text that was given last, and what was appended since.
  const textBefore = (artifact, revision) => {
    let text = "";
    for (const one of game.revisions.filter(one => one.revision && one.revision < revision))
      for (const patch of one.patches.filter(patch => patch.artifact === artifact))
        text = "append" in patch ? text + (game.texts[patch.append] || "") : game.texts[patch.text] || "";
    return text;
  };

  const showPatch = (parent, one, patch) => {
    const text = game.texts[patch.text ?? patch.append] || "", details = put(parent, "details");
    const how = "append" in patch ? ", appended" : "", why = patch.reason || "no reason was given";
    put(details, "summary", `${patch.artifact}${how}: ${why}`);
    if (!one.revision) return put(details, "p", "refused, so its text was not kept", "soft");
    const before = "append" in patch ? [] : textBefore(patch.artifact, one.revision).split("\n");
    const now = text.split("\n");
    const pre = put(details, "pre"), had = new Set(before), has = new Set(now);
    for (const line of before) if (!has.has(line)) put(pre, "span", `- ${line}\n`, "gone");
    for (const line of now) put(pre, "span", `${had.has(line) ? " " : "+"} ${line}\n`, had.has(line) ? "" : "new");
  };

  const change = step => {
    $("changed").replaceChildren();
    for (const one of game.revisions.filter(one => one.step === step.t)) {
      const what = one.revision ? `revision ${one.revision}` : `refused: ${one.refused}`;
      const effect = `${one.right} right, ${one.fixed} fixed, ${one.broken} broken`;
      put($("changed"), "p", `${one.by}, ${what}; of ${one.checked} regressions ${effect}`);
      for (const patch of one.patches) showPatch($("changed"), one, patch);
    }
    if (!$("changed").children.length) put($("changed"), "p", "nothing", "soft");
  };

  const show = number => {
    number = Math.max(1, Math.min(steps.length, number));
    const step = steps[number - 1], {before, predicted, real} = frames[number - 1];
    $("at").value = number;
    const kind = step.kind === "step" ? "" : `; ${step.kind}`;
    $("said").textContent = `step ${number} of ${steps.length}, level ${step.level}: ${placed(step.action)}, `
      + `chosen as ${step.choice}, with revision ${step.revision}${kind}`;
    $("judged").textContent = judged(step);
    $("claim").textContent = predicted ? "predicted" : "no frame was predicted";
    painter.paint($("before"), game, before);
    painter.paint($("predicted"), game, predicted);
    painter.paint($("real"), game, real);
    painter.paint($("difference"), game, real, i => predicted && predicted[i] === real[i] ? 0.2 : 1);
    for (const end of ["x1", "x2"]) $("now").setAttribute(end, across(number));
    key(points[number - 1]);
    tell(step);
    change(step);
  };

  const step = by => show(Number($("at").value) + by);
  // Goes to the next surprise in a direction, if there is one.
  const seek = by => {
    let number = Number($("at").value) + by;
    while (steps[number - 1] && !steps[number - 1].owner) number += by;
    if (steps[number - 1]) show(number);
  };
  const open = () => {
    game = played[Number($("game").value)];
    steps = game.steps.slice(0, game.log.length - 1);
    unroll();
    count();
    plot();
    scores();
    $("at").max = steps.length;
    show(1);
  };

  played.forEach((one, i) => put($("game"), "option", one.name).value = i);
  $("game").addEventListener("change", open);
  $("at").addEventListener("input", () => step(0));
  const buttons = {back: () => step(-1), on: () => step(1),
                   "wrong-before": () => seek(-1), "wrong-next": () => seek(1)};
  for (const [id, act] of Object.entries(buttons)) $(id).addEventListener("click", act);
  $("curves").addEventListener("click", event => {
    const box = $("curves").getBoundingClientRect(), x = (event.clientX - box.left) * 900 / box.width;
    show(1 + Math.round((x - BOX.left) / (BOX.right - BOX.left) * (steps.length - 1)));
  });
  document.addEventListener("keydown", event => {
    const keys = {ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => step(-Infinity),
                  End: () => step(Infinity), p: () => seek(-1), n: () => seek(1)};
    if (!keys[event.key] || ["SELECT", "INPUT"].includes(event.target.tagName)) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    keys[event.key]();
  });
  $("run").hidden = false;
  open();
})();
