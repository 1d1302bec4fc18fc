"use strict";
(() => {
  const $ = id => document.getElementById(id);
  const make = (name, className, text) => {
    const element = document.createElement(name);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const data = id => { const found = $(id); return found && JSON.parse(found.textContent); };
  const cards = [...document.querySelectorAll(".finding")];
  const texts = cards.map(card => (card.querySelector("summary").textContent + " " + card.dataset.cause).toLowerCase());

  // Light and dark: what the system says, until the reader chooses.
  const remembered = () => { try { return localStorage.getItem("shapecheck-theme"); } catch { return null; } };
  const setTheme = theme => { document.documentElement.dataset.theme = theme; try { localStorage.setItem("shapecheck-theme", theme); } catch { /* a page from a file may have no storage */ } };
  const isDark = () => (document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  if (remembered()) document.documentElement.dataset.theme = remembered();
  const switchTheme = () => setTheme(isDark() ? "light" : "dark");
  $("theme").addEventListener("click", switchTheme);

  // Groups: the cards are moved, never made anew.
  const counted = (title, count) => { const heading = make("h3", "", title); heading.append(make("span", "count", count)); return heading; };
  const regroup = () => {
    const by = $("group").value, groups = new Map();
    for (const card of cards) {
      const key = card.dataset[by];
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(card);
    }
    const sorted = [...groups].sort(([a, x], [b, y]) => by === "file" ? (a < b ? -1 : 1) : y.length - x.length || (a < b ? -1 : 1));
    const all = document.createDocumentFragment();
    for (const [key, members] of sorted) {
      const group = make("section", "group");
      group.append(counted(key, members.length), ...members);
      all.append(group);
    }
    $("cards").replaceChildren(all);
    filter();
  };

  // Search and severities.
  const off = new Set();
  const filter = () => {
    const words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    cards.forEach((card, index) => {
      card.hidden = off.has(card.dataset.severity) || !words.every(word => texts[index].includes(word));
      shown += !card.hidden;
    });
    for (const group of document.querySelectorAll(".group")) {
      const visible = group.querySelectorAll(".finding:not([hidden])").length;
      group.hidden = !visible;
      group.querySelector(".count").textContent = visible;
    }
    for (const tile of document.querySelectorAll(".tiles li")) {
      tile.hidden = words.length > 0 && !words.every(word => tile.textContent.toLowerCase().includes(word)) && !shown;
    }
    $("shown").textContent = shown === cards.length ? shown : `${shown} of ${cards.length}`;
    $("nothing").hidden = shown > 0;
  };
  const severities = [...new Set(cards.map(card => card.dataset.severity))];
  for (const severity of severities) {
    const box = make("input"), label = make("label");
    box.type = "checkbox"; box.checked = true; box.value = severity;
    box.addEventListener("change", () => { box.checked ? off.delete(severity) : off.add(severity); filter(); });
    label.append(box, severity);
    $("severities").append(label);
  }
  $("search").addEventListener("input", filter);
  $("group").addEventListener("change", regroup);
  document.querySelector(".controls").addEventListener("submit", event => event.preventDefault());
  $("unfold").addEventListener("click", () => {
    const open = cards.some(card => !card.hidden && !card.open);
    cards.forEach(card => { if (!card.hidden) card.open = open; });
    $("unfold").textContent = open ? "Close all" : "Open all";
  });

  // Drawings, when they are asked for.
  const figure = (svg, caption) => {
    const made = make("figure"), canvas = make("div", "canvas");
    canvas.innerHTML = svg; canvas.tabIndex = 0;
    if (caption) made.append(make("figcaption", "", caption));
    made.append(canvas);
    return made;
  };
  document.addEventListener("toggle", event => {
    const picture = event.target;
    if (!picture.classList.contains("picture") || !picture.open || picture.dataset.done) return;
    picture.dataset.done = "yes";
    const drawn = data("pictures-" + picture.dataset.finding), figures = make("div", "figures");
    if (picture.dataset.kind === "dataflow") figures.append(figure(drawn.dataflow));
    else {
      figures.append(figure(drawn.before, drawn.after ? "Before" : ""));
      if (drawn.after) figures.append(figure(drawn.after, "After the fix"));
    }
    picture.append(figures);
  }, true);

  // The source of a file, with shapes in its margin.
  const TOKEN = /(#.*$)|("""|'''|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|\b(False|None|True|and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield)\b|\b(\d[\w.]*)/gm;
  const coloured = (line, inside) => {
    const code = make("code", "src");
    if (inside.quote) {
      const end = line.indexOf(inside.quote);
      if (end < 0) { code.append(make("span", "st", line)); return code; }
      code.append(make("span", "st", line.slice(0, end + 3)));
      line = line.slice(end + 3); inside.quote = "";
    }
    let at = 0;
    TOKEN.lastIndex = 0;
    for (let match; (match = TOKEN.exec(line));) {
      code.append(line.slice(at, match.index));
      let text = match[0];
      if (match[2] && match[2].length === 3 && (match[2] === '"""' || match[2] === "'''")) {
        const end = line.indexOf(match[2], match.index + 3);
        if (end < 0) inside.quote = match[2];
        text = end < 0 ? line.slice(match.index) : line.slice(match.index, end + 3);
        TOKEN.lastIndex = match.index + text.length;
      }
      code.append(make("span", match[1] ? "c" : match[2] ? "st" : match[3] ? "k" : "nr", text));
      at = match.index + text.length;
    }
    code.append(line.slice(at));
    return code;
  };
  const noteOf = ([, text, shape, more]) => {
    const note = make("span", shape ? "note" : "note gone");
    if (text) note.append(make("span", "v", text + " "));
    note.append(make("span", "s", shape || "unknown"));
    if (more) { note.title = more; note.append(make("span", "hidden", " (" + more + ")")); }
    return note;
  };
  const byRow = pairs => { const rows = new Map(); for (const pair of pairs) { if (!rows.has(pair[0])) rows.set(pair[0], []); rows.get(pair[0]).push(pair); } return rows; };
  const lineOf = (file, row, text, notes, findings, inside, label) => {
    const line = make("div", "ln"), number = make("a", "num", label), margin = make("span", "margin");
    number.href = `#file=${file}&line=${row}`;
    const known = notes.filter(note => note[2]).length;
    if (notes.length) line.classList.add(known === notes.length ? "known" : known ? "partly" : "lost");
    line.dataset.row = row;
    notes.forEach(note => margin.append(noteOf(note)));
    line.append(number, coloured(text, inside), margin);
    for (const [, id, severity, message] of findings) {
      line.classList.add(severity);
      const told = make("div", "told"), link = make("a", "", message);
      link.href = "#finding-" + id;
      told.append(make("span", "severity " + severity, severity), " ", link);
      line.append(told);
    }
    return line;
  };
  let shownFile = null;
  const showFile = (number, row) => {
    const source = $("source");
    if (shownFile !== number) {
      const file = data("file-" + number);
      if (!file) return showReport();
      const bar = make("div", "bar"), back = make("a", "", "← All findings"), title = make("h2", "", file.name), code = make("div", "code");
      back.href = "#findings"; title.id = "source-title";
      bar.append(back, title, make("span", "count", file.findings.length + (file.findings.length === 1 ? " finding" : " findings")));
      const notes = byRow(file.notes), findings = byRow(file.findings), cells = new Map(file.cells), inside = { quote: "" };
      let first = 1;
      file.lines.forEach((text, index) => {
        const at = index + 1;
        if (cells.has(at)) { first = at; const cell = make("div", "ln"); cell.append(make("span", "cell", "cell " + cells.get(at))); code.append(cell); }
        code.append(lineOf(number, at, text, notes.get(at) || [], findings.get(at) || [], inside, at - first + 1));
      });
      source.replaceChildren(bar, code);
      if (file.models.length) {
        const models = make("div", "figures");
        for (const [name, line, svg] of file.models) models.append(figure(svg, `${name}, line ${line}`));
        const heading = make("h2", "", "Models");
        heading.style.marginTop = "1.6rem";
        source.append(heading, models);
      }
      shownFile = number;
    }
    $("report").hidden = true; source.hidden = false;
    source.querySelectorAll(".here").forEach(line => line.classList.remove("here"));
    const line = row && source.querySelector(`[data-row="${row}"]`);
    if (line) { line.classList.add("here"); line.scrollIntoView({ block: "center", behavior: "instant" }); } else scrollTo(0, 0);
    source.focus({ preventScroll: true });
  };
  const showReport = () => { $("source").hidden = true; $("report").hidden = false; };
  const route = () => {
    const hash = decodeURIComponent(location.hash.slice(1)), wanted = /^file=(\d+)(?:&line=(\d+))?$/.exec(hash);
    if (wanted) return showFile(wanted[1], wanted[2]);
    showReport();
    const target = hash && $(hash);
    if (!target) return;
    if (target.classList.contains("finding")) { target.hidden = false; target.open = true; target.querySelector("summary").focus({ preventScroll: true }); }
    target.scrollIntoView({ behavior: "instant" });
  };
  addEventListener("hashchange", route);

  // Keys.
  const step = by => {
    const visible = cards.filter(card => !card.hidden), now = visible.findIndex(card => card.contains(document.activeElement));
    const next = visible[Math.min(Math.max(now + by, 0), visible.length - 1)];
    if (next) { next.querySelector("summary").focus(); next.scrollIntoView({ block: "nearest" }); }
  };
  addEventListener("keydown", event => {
    if (event.key === "Escape") { if (!$("source").hidden) location.hash = "#findings"; else if (document.activeElement === $("search")) { $("search").value = ""; filter(); } return; }
    if (/INPUT|SELECT|TEXTAREA/.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") { event.preventDefault(); showReport(); $("search").focus(); }
    if (event.key === "j") step(1);
    if (event.key === "k") step(-1);
    if (event.key === "t") switchTheme();
  });
  addEventListener("beforeprint", () => cards.forEach(card => { if (!card.hidden) card.open = true; }));

  regroup();
  route();
})();
