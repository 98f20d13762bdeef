
(async () => {
    const {colours, plays, wrong} = await unpackData();
    const $ = id => document.getElementById(id);
    if (!wrong.length) return;
    const painter = new FramePainter(colours);
    let shown = wrong;

    const paint = (id, ...how) => painter.paint($(id), ...how);

    const told = one => {
        const at = "x" in one ? ` (${one.x}, ${one.y})` : "";
        const what = one.source === "error" ? `${one.failed} gave no answer`
                                            : `${one.cells} cell${one.cells === 1 ? "" : "s"} wrong`;
        const ends = one.done || one.over === (one.kind !== "over")
                         ? `, predicted done ${one.done} and over ${one.over}`
                         : "";
        return `${one.log}:${one.line}, t ${one.t}, level ${one.level}, ${one.action}${at}: ${what}${ends}; owner ${
            one.owner}`;
    };

    const show = number => {
        number = Math.max(0, Math.min(shown.length - 1, number));
        const one = shown[number], play = plays[one.play];
        $("at").value = number;
        $("said").textContent = `${number + 1} of ${shown.length}, ${play.name}: ${told(one)}`;
        $("fields").textContent = one.fields.length ? `wrong fields: ${one.fields.join(", ")}` : "";
        $("claim").textContent = one.source === "render" ? "rendered from what was observed"
                                 : one.predicted         ? "predicted"
                                                         : "no prediction";
        for (const id of ["before", "predicted", "real"]) paint(id, play, one[id]);
        paint("difference", play, one.real, i => one.predicted && one.predicted[i] === one.real[i] ? 0.2 : 1);
    };

    const open = () => {
        const chosen = $("game").value;
        shown = chosen ? wrong.filter(one => plays[one.play].name === chosen) : wrong;
        $("at").max = shown.length - 1;
        show(0);
    };
    const option = (text, value) => {
        const one = document.createElement("option");
        [one.textContent, one.value] = [ text, value ];
        $("game").append(one);
    };
    option(`all (${wrong.length})`, "");
    for (const name of new Set(plays.map(play => play.name))) option(name, name);

    const step = by => show(Number($("at").value) + by);
    $("game").addEventListener("change", open);
    $("at").addEventListener("input", () => step(0));
    $("back").addEventListener("click", () => step(-1));
    $("on").addEventListener("click", () => step(1));
    document.addEventListener("keydown", event => {
        const keys = {ArrowLeft : -1, ArrowRight : 1, Home : -Infinity, End : Infinity};
        if (!(event.key in keys) || [ "SELECT", "INPUT" ].includes(event.target.tagName) || event.ctrlKey ||
            event.altKey || event.metaKey)
            return;
        event.preventDefault();
        step(keys[event.key]);
    });
    $("wrong").hidden = false;
    open();
})();
