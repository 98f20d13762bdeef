
(async () => {
    const {colours, plays, wrong} = await unpackData();
    const $ = id => document.getElementById(id);
    if (!wrong.length) return;
    const signs = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const wheel = document.createElement("canvas").getContext("2d", {willReadFrequently : true});
    let shown = wrong;

    // Red, green and blue of a colour; names that a browser does not know get a colour of their own.
    const rgb = (name, number) => {
        wheel.fillStyle = CSS.supports("color", name) ? name : `hsl(${number * 137 % 360} 60% 50%)`;
        wheel.fillRect(0, 0, 1, 1);
        return wheel.getImageData(0, 0, 1, 1).data;
    };
    for (const play of plays) play.palette = (play.colours || colours).map(rgb);

    // Paints a frame; `shade` gives how bright a cell is.
    const paint = (id, play, frame, shade = () => 1) => {
        const canvas = $(id), {width, height, palette} = play;
        [canvas.width, canvas.height] = [ width, height ];
        if (!frame) return;
        const context = canvas.getContext("2d"), image = context.createImageData(width, height);
        [...frame].forEach((sign, i) => {
            const colour = palette[signs.indexOf(sign)] || [ 0, 0, 0 ], light = shade(i);
            for (let k = 0; k < 3; k++) image.data[4 * i + k] = 128 + (colour[k] - 128) * light;
            image.data[4 * i + 3] = 255;
        });
        context.putImageData(image, 0, 0);
    };

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
