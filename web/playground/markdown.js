/** Shows the Markdown of tasks' pages: headings, paragraphs, lists, tables, code. Links become their texts. */
import { make } from "./dom.js";

export function markdown(text) {
  const lines = text.split("\n"), parts = [];
  while (lines.length) parts.push(...block(lines));
  return parts;
}

/** Takes the next block off the lines. */
function block(lines) {
  const line = lines.shift();
  if (!line.trim()) return [];
  const heading = /^(#+) (.*)/.exec(line);
  if (heading) return [make("h4", {}, ...inline(heading[2]))];
  if (line.startsWith("```")) {
    const code = takeWhile(lines, (next) => !next.startsWith("```"));
    lines.shift();
    return [make("pre", { textContent: code.join("\n") })];
  }
  if (line.startsWith("    "))
    return [
      make("pre", {
        textContent: [line, ...takeWhile(lines, (next) => next.startsWith("    "))]
          .map((one) => one.slice(4))
          .join("\n"),
      }),
    ];
  if (line.startsWith("|")) return [table([line, ...takeWhile(lines, (next) => next.startsWith("|"))])];
  if (line.startsWith("- ")) return [list([line, ...takeWhile(lines, (next) => /^(- |  )/.test(next))])];
  return [
    make(
      "p",
      {},
      ...inline([line, ...takeWhile(lines, (next) => next.trim() && !/^(#|\||- |```)/.test(next))].join(" ")),
    ),
  ];
}

function takeWhile(lines, fits) {
  const end = lines.findIndex((line) => !fits(line));
  return lines.splice(0, end < 0 ? lines.length : end);
}

function list(lines) {
  const items = [];
  for (const line of lines)
    line.startsWith("- ") ? items.push(line.slice(2)) : items.push(`${items.pop()} ${line.trim()}`);
  return make("ul", {}, ...items.map((item) => make("li", {}, ...inline(item))));
}

function table(lines) {
  const rows = lines
    .filter((line) => !/^\|[-:| ]+$/.test(line))
    .map((line) => line.replace(/^\||\|\s*$/g, "").split("|"));
  const row = (cells, kind) => make("tr", {}, ...cells.map((cell) => make(kind, {}, ...inline(cell.trim()))));
  return make("div", { className: "wide" }, make("table", {}, ...rows.map((cells, i) => row(cells, i ? "td" : "th"))));
}

function inline(text) {
  return text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("**", "").split("`")
    .map((part, i) => (i % 2 ? make("code", { textContent: part }) : part));
}
