"use strict";
(() => {
  const data = JSON.parse(document.getElementById("replays").textContent);
  const $ = id => document.getElementById(id);
  const agents = $("agent"), episodes = $("episode"), at = $("at"), frame = $("frame"), said = $("said");
  let episode = null, timer = null;
  if (!data.episodes.length) return;
  $("player").hidden = false;
  const option = (list, text, value) => {
    const one = document.createElement("option");
    one.textContent = text;
    one.value = value;
    list.append(one);
  };
  const stop = () => {
    clearInterval(timer);
    timer = null;
    $("play").textContent = "play";
  };
  const show = step => {
    step = Math.max(0, Math.min(episode.frames.length - 1, step));
    at.value = step;
    frame.textContent = episode.frames[step].map(line => episode.lines[line]).join("\n");
    said.textContent = `step ${step} of ${episode.frames.length - 1}: ${episode.said[step]}` +
      (step === episode.frames.length - 1 ? ` - ${episode.outcome}` : "");
    if (step === episode.frames.length - 1) stop();
  };
  const open = () => {
    stop();
    episode = data.episodes[Number(episodes.value)];
    at.max = episode.frames.length - 1;
    show(0);
  };
  const list = () => {
    episodes.replaceChildren();
    data.episodes.forEach((one, i) => {
      if (one.agent === Number(agents.value)) option(episodes, `${one.name} (${one.outcome})`, i);
    });
    open();
  };
  const play = () => {
    if (timer) return stop();
    if (Number(at.value) === episode.frames.length - 1) show(0);
    timer = setInterval(() => show(Number(at.value) + 1), 200);
    $("play").textContent = "pause";
  };
  const step = by => {
    stop();
    show(Number(at.value) + by);
  };
  data.agents.forEach((name, i) => {
    if (data.episodes.some(one => one.agent === i)) option(agents, name, i);
  });
  agents.addEventListener("change", list);
  episodes.addEventListener("change", open);
  at.addEventListener("input", () => step(0));
  $("back").addEventListener("click", () => step(-1));
  $("on").addEventListener("click", () => step(1));
  $("play").addEventListener("click", play);
  document.addEventListener("keydown", event => {
    if (["SELECT", "INPUT"].includes(event.target.tagName) || event.ctrlKey || event.altKey || event.metaKey) return;
    const keys = {ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => step(-Infinity),
                  End: () => step(Infinity), p: play};
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  list();
})();
