
(async () => {
  const families = await unpackData();
  const $ = id => document.getElementById(id);
  const player = new Player(), dialog = $("player");
  const make = (kind, parent, text, name) => {
    const one = document.createElement(kind);
    if (text) one.textContent = text;
    if (name) one.className = name;
    parent.append(one);
    return one;
  };

  // Thumbnails are drawn when they come near the window.
  const pending = new Map();
  const watcher = new IntersectionObserver(seen => seen.forEach(one => {
    if (!one.isIntersecting) return;
    watcher.unobserve(one.target);
    pending.get(one.target)();
  }), {rootMargin: "400px"});
  const drawSmall = (canvas, painter, episode) => painter.ready.then(() => {
    const whole = document.createElement("canvas"), side = 192;
    painter.draw(whole, episode, -1, 0);
    const scale = side / Math.max(whole.width, whole.height), [width, height] = [whole.width * scale, whole.height * scale];
    canvas.width = canvas.height = side;
    const context = canvas.getContext("2d");
    context.imageSmoothingEnabled = scale < 1;
    context.imageSmoothingQuality = "high";
    context.drawImage(whole, (side - width) / 2, (side - height) / 2, width, height);
  });
  const thumbnail = (parent, painter, episode) => {
    if (!painter) return make("pre", parent, episode.texts[0].map(line => episode.lines[line]).join("\n"));
    const canvas = make("canvas", parent);
    pending.set(canvas, () => drawSmall(canvas, painter, episode));
    watcher.observe(canvas);
  };

  const show = (task, episode, painter) => {
    $("name").textContent = episode.name;
    $("summary").textContent = `${task.summary} Played by ${episode.agent}.`;
    dialog.showModal();
    player.open(episode, painter);
    player.toggle();
    player.play.focus();
  };
  $("close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", event => event.target === dialog && dialog.close());
  // The event `close` may come some time after the dialog is gone, and a key that is pressed between the two must do nothing.
  for (const kind of ["cancel", "close"]) dialog.addEventListener(kind, () => player.close());

  const addTask = (parent, task, painter) => {
    const card = make("article", parent);
    make("h4", card, task.task);
    make("p", card, task.summary, "soft");
    const levels = make("div", card, "", "levels");
    for (const episode of task.episodes) {
      const button = make("button", levels);
      button.type = "button";
      button.setAttribute("aria-label", `play ${episode.name}`);
      thumbnail(button, painter, episode);
      if (episode.difficulty || task.episodes.length > 1) make("span", button, episode.difficulty || "default");
      button.addEventListener("click", () => show(task, episode, painter));
    }
    card.dataset.words = `${task.task} ${task.category} ${task.summary}`.toLowerCase();
  };
  for (const family of families) {
    const section = make("section", $("gallery")), painter = family.atlas ? new Painter(family.atlas) : null;
    section.id = family.family;
    if (family.tasks.every(task => task.episodes.length === 1)) section.className = "one";
    make("h2", section, family.family);
    make("a", $("families"), `${family.family} (${family.tasks.length})`).href = `#${family.family}`;
    for (const category of new Set(family.tasks.map(task => task.category))) {
      const part = make("div", section, "", "category");
      make("h3", part, category.replaceAll("_", " "));
      const tasks = make("div", part, "", "tasks");
      family.tasks.filter(task => task.category === category).forEach(task => addTask(tasks, task, painter));
    }
  }

  // The address may name a family, which was not there when the page was loaded.
  const named = location.hash && $(location.hash.slice(1));
  if (named) named.scrollIntoView();

  $("search").addEventListener("input", () => {
    const words = $("search").value.toLowerCase();
    for (const card of document.querySelectorAll("article")) card.hidden = !card.dataset.words.includes(words);
    for (const part of document.querySelectorAll(".category, section")) part.hidden = !part.querySelector("article:not([hidden])");
  });
})();
