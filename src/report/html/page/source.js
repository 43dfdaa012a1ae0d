/* The machine's file, with the line that was contradicted and what a step ran. */

/* Lines of it: [number, text], or [number, null] before lines that are left out. */
const linesOf = source => {
  const lines = [];
  source.parts.forEach(([first, text], i) => {
    if (i ? first > lines[lines.length - 1][0] + 1 : first > 1) lines.push([first - 1, null]);
    text.split('\n').forEach((line, at) => lines.push([first + at, line]));
  });
  const left = source.lines - (lines.length ? lines[lines.length - 1][0] : 0);
  if (left > 0) lines.push([source.lines, null]);
  return lines;
};
/* Where a rule or an invariant begins; 0: it is not known, or not among the lines that are there. */
const lineOf = (run, list, name) => {
  const found = run.source && (run[list] || []).find(item => item.name === name);
  return found && found.line && linesOf(run.source).some(([n, text]) => n === found.line && text !== null) ? found.line : 0;
};
/* The lines of one rule or invariant: up to the next line that is indented no more. */
const blockAt = (lines, first) => {
  const indent = text => text.search(/\S/);
  const start = lines.findIndex(([n, text]) => n === first && text !== null);
  if (start < 0) return [];
  let end = start + 1;
  while (end < lines.length && lines[end][1] !== null && (indent(lines[end][1]) < 0 || indent(lines[end][1]) > indent(lines[start][1]))) end++;
  return lines.slice(start, end).map(([n]) => n);
};
/* `stated`: the line that was contradicted, or 0. show(line) marks what begins there, too. */
const sourcePanel = (run, stated) => {
  const lines = linesOf(run.source);
  const rows = new Map();
  const list = h('ol.source', { tabindex: '0', 'aria-label': run.source.file }, lines.map(([n, text]) => {
    if (text === null) return h('li.gap', null, '… lines left out …');
    const row = h('li' + (n === stated ? '.stated' : ''), { 'data-line': String(n) }, h('code', null, text || ' '), n === stated && h('span.flag', null, 'contradicted'));
    rows.set(n, row);
    return row;
  }));
  let here = [];
  const go = line => { if (rows.has(line)) list.scrollTop = rows.get(line).offsetTop - list.clientHeight / 3; };
  const jump = (words, line) => rows.has(line) && h('button.link', { type: 'button', onclick: () => go(line) }, words + ' ' + line);
  const links = h('span');
  return {
    element: h('div', null, h('p.jumps.soft', null, code(run.source.file), links), list),
    /* Marks the block that begins at `line`, and goes to `to`. */
    show(line, to) {
      here.forEach(n => rows.get(n).classList.remove('here'));
      here = line ? blockAt(lines, line) : [];
      here.forEach(n => rows.get(n).classList.add('here'));
      fill(links, jump('contradicted line', stated), jump('rule of this step: line', line));
      go(rows.has(to) ? to : line || stated);
    },
  };
};
/* For paper: the lines around the one that was contradicted. */
const statedExcerpt = (run, stated) => {
  const near = linesOf(run.source).filter(([n, text]) => text !== null && Math.abs(n - stated) <= 8);
  return near.length ? h('div.block', null, h('h4', null, run.source.file), h('ol.source', null, near.map(([n, text]) =>
    h('li' + (n === stated ? '.stated' : ''), { 'data-line': String(n) }, h('code', null, text || ' '))))) : null;
};
