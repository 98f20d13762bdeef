
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = id => document.getElementById(id);
  if (!data.episodes.length) return;
  $("player").hidden = false;
  const agents = $("agent"), episodes = $("episode"), player = new Player();
  const painter = data.atlas ? new Painter(data.atlas) : null;
  const option = (list, text, value) => {
    const one = document.createElement("option");
    one.textContent = text;
    one.value = value;
    list.append(one);
  };
  const open = () => player.open(data.episodes[Number(episodes.value)], painter);
  // Shows what was said with this step, or with the last reply before it: a reply may have several actions.
  player.onshow = (episode, step) => {
    const said = (episode.thoughts || []).filter(([at]) => at <= step).pop();
    $("thoughts").hidden = !said;
    if (!said) return;
    const [at, thought, spent] = said;
    $("spent").textContent = `said with step ${at}` + (spent ? `: ${spent}` : "");
    $("thought").textContent = thought;
  };
  const list = () => {
    episodes.replaceChildren();
    data.episodes.forEach((one, i) => {
      if (one.agent === Number(agents.value)) option(episodes, `${one.name} (${one.outcome})`, i);
    });
    open();
  };
  data.agents.forEach((name, i) => {
    if (data.episodes.some(one => one.agent === i)) option(agents, name, i);
  });
  // What surprises becomes a link to the player, which has all of it.
  const link = (cell, index) => {
    const one = document.createElement("a");
    one.href = "#player";
    one.textContent = cell.textContent;
    one.addEventListener("click", () => {
      agents.value = data.episodes[index].agent;
      list();
      episodes.value = index;
      open();
    });
    cell.replaceChildren(one);
  };
  for (const { cells: [agent, episode] } of document.querySelectorAll("#surprises tbody tr")) {
    const index = data.episodes.findIndex(one => one.name === episode.textContent && data.agents[one.agent] === agent.textContent);
    if (index >= 0) link(episode, index);
  }
  agents.addEventListener("change", list);
  episodes.addEventListener("change", open);
  list();
})();
