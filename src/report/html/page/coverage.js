/* Pictures of what a run came across (../coverage.c): discovery over time, pairs of rules, values of arguments. Each picture
 * is an SVG with a title and a description, and has its numbers in a table. */
const coverage = kit => {
'use strict';
const { h, number, counted, panel, dataTable, scroll } = kit;

/* Elements of SVG, as h() makes those of HTML. */
const svg = (tag, attributes, ...children) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.flat(Infinity).filter(Boolean));
  return element;
};
let pictures = 0;
const picture = (width, height, title, description, ...parts) => {
  const id = 'picture-' + pictures++;
  return svg('svg', { viewBox: '0 0 ' + width + ' ' + height, role: 'img', 'aria-labelledby': id, 'aria-describedby': id + '-more', class: 'plot' },
    svg('title', { id }, title), svg('desc', { id: id + '-more' }, description), ...parts);
};
const text = (x, y, what, anchor, name) => svg('text', { x, y, 'text-anchor': anchor || 'start', class: name || 'label' }, what);
const figure = (caption, note, plot, table) => h('figure', null, h('figcaption', null, caption, ' ', h('span.soft', null, note)), plot,
  h('details.numbers', null, h('summary', null, 'Numbers'), table));
/* 1234567 as 1,234,567, and 2e+18 as it is. */
const amount = n => Math.abs(n) < 1e9 ? number(n) : Number(n.toPrecision(4)).toExponential();
const cut = (words, most) => words.length > most ? words.slice(0, most - 1) + '…' : words;

/* Discovery over time. */

const kinds = { rules: 'Rules', pairs: 'Pairs of rules', errors: 'Errors of rules', bundles: 'Bundles filled', tables: 'Tables filled', labels: 'Labels' };
const curve = (of, key, points, examples) => {
  const [width, height, bottom, top] = [240, 96, 78, 16];
  const most = Math.max(of.of || of.seen, 1);
  const at = n => (examples < 2 ? 0 : (width - 2) * Math.log(n) / Math.log(examples)).toFixed(1);
  const up = n => (bottom - (bottom - top) * n / most).toFixed(1);
  const path = points.map((p, i) => (i ? 'H' : 'M') + at(p.examples) + (i ? 'V' : ' ') + up(p[key] || 0)).join('');
  const title = kinds[key] + ': ' + number(of.seen) + (of.of ? ' of ' + number(of.of) : '') + ' seen after ' + counted(examples, 'example');
  const rises = [8, 4, 2, 1].map(part => points.filter(p => p.examples <= Math.max(1, examples / part)).pop()).filter((p, i, all) => p && p !== all[i - 1]);
  return picture(width, height, title, 'After ' + rises.map(p => number(p.examples) + ': ' + number(p[key] || 0)).join(', ') + '.',
    svg('path', { d: path + 'V' + bottom + 'H0Z', class: 'area' }),
    svg('path', { d: 'M0 ' + bottom + 'H' + width, class: 'axis' }),
    of.of && svg('path', { d: 'M0 ' + up(of.of) + 'H' + width, class: 'limit' }),
    svg('path', { d: path, class: 'curve' }),
    text(0, height - 4, '1'), text(width, height - 4, counted(examples, 'example'), 'end'), text(0, top - 5, number(most)));
};
const pointsTable = (key, points) => dataTable(kinds[key] + ' over time', 'examples',
  points.filter((p, i) => !i || p[key] !== points[i - 1][key] || i === points.length - 1), p => number(p.examples), [['seen', '.num', p => number(p[key] || 0)]]);
const discoveryPanel = run => {
  const of = run.discovery;
  const shown = of && run.examples ? Object.keys(kinds).filter(key => of[key]) : [];
  if (!shown.length) return null;
  const late = shown.filter(key => of[key].last > run.examples / 2);
  return panel('', 'Discovery over time', 'How many different things the run had seen after how many examples, on a logarithmic scale. '
    + (late.length ? 'The second half of the run still saw something new (' + late.map(key => kinds[key].toLowerCase()).join(', ') + '): a longer run may see more.' : 'The second half of the run saw nothing new.'),
    h('div.plots', null, shown.map(key => figure(kinds[key],
      number(of[key].seen) + (of[key].of ? ' of ' + number(of[key].of) : '') + (of[key].last ? ', the last new one in example ' + number(of[key].last) : ''),
      curve(of[key], key, of.points, run.examples), pointsTable(key, of.points)))));
};

/* Pairs of rules. */

const pairsPanel = run => {
  if (!run.pairs || run.paired.length < 2) return null;
  const names = run.paired.map(i => run.rules[i].name);
  const most = Math.max(1, ...run.pairs.flat());
  const dense = names.length > 16;
  const cell = (n, i, j) => {
    const td = h('td.c' + (n ? '' : '.none'), { title: names[i] + ' → ' + names[j] + ': ' + number(n) }, dense ? h('span.sr', null, String(n)) : n ? number(n) : '·');
    td.style.setProperty('--h', n ? (0.06 + 0.94 * n / most).toFixed(3) : 0);
    return td;
  };
  const never = run.pairs.flat().filter(n => !n).length;
  return panel(names.length > 9 ? '' : '.half', 'Which rule followed which', 'Row, then column: how many steps of the second rule came right after the first. '
    + (never ? number(never) + ' of ' + counted(names.length ** 2, 'pair') + ' never happened.' : 'Every pair happened.')
    + (names.length < run.rules.filter(r => r.ran).length ? ' The rules that ran most are shown.' : ''),
    scroll('Pairs of rules', h('table.heat' + (dense ? '.dense' : ''), null,
      h('thead', null, h('tr', null, h('td', null, 'then →'), names.map(name => h('th', { scope: 'col' }, name)))),
      h('tbody', null, run.pairs.map((row, i) => h('tr', null, h('th', { scope: 'row' }, names[i]), row.map((n, j) => cell(n, i, j))))))));
};

/* Values of arguments. */

const range = b => b.from === undefined ? 'up to ' + amount(b.to) : b.to === undefined ? amount(b.from) + ' and more' : b.from === b.to ? amount(b.from) : amount(b.from) + ' to ' + amount(b.to);
/* Items by age: the newest, 2nd newest, 3rd to 4th newest, … */
const nth = n => amount(n) + (['st', 'nd', 'rd'][n - 1] || 'th'); /* of 1 to 3, powers of two, and what is behind one */
const place = b => b.from === 0 ? 'newest' : nth(b.from + 1) + (b.from === b.to ? '' : ' to ' + nth(b.to + 1)) + ' newest';
const bars = (title, items) => {
  const [width, row] = [240, 17];
  const most = Math.max(1, ...items.map(([, n]) => n));
  return picture(width, row * items.length, title, items.map(([name, n]) => name + ': ' + number(n)).join(', '),
    items.map(([name, n], i) => [
      svg('rect', { x: 108, y: i * row + 3, width: Math.max(1, 88 * n / most).toFixed(1), height: row - 6, rx: 2, class: 'bars' }),
      text(102, i * row + 12.5, cut(name, 16), 'end', 'value'), text(width, i * row + 12.5, number(n), 'end')]));
};
/* Every power of two between the ends has its place, also if nothing is in it. */
const power = b => b.from === 0 && b.to === 0 ? 0 : b.from === undefined ? -64 : b.from > 0 ? 1 + Math.round(Math.log2(b.from)) : -1 - Math.round(Math.log2(-b.to));
const columns = (title, scale) => {
  const [width, height, bottom] = [240, 96, 80];
  const first = power(scale.buckets[0]);
  const count = power(scale.buckets[scale.buckets.length - 1]) - first + 1;
  const most = Math.max(...scale.buckets.map(b => b.count));
  const step = Math.min(40, width / count);
  return picture(width, height, title, scale.buckets.map(b => range(b) + ': ' + number(b.count)).join(', '),
    scale.buckets.map(b => {
      const tall = Math.max(1.5, (bottom - 4) * b.count / most);
      return svg('rect', { x: ((power(b) - first) * step).toFixed(1), y: (bottom - tall).toFixed(1), width: Math.max(1, step - 1).toFixed(1), height: tall.toFixed(1), class: 'bars' },
        svg('title', {}, range(b) + ': ' + number(b.count)));
    }),
    svg('path', { d: 'M0 ' + bottom + 'H' + width, class: 'axis' }),
    text(0, height - 4, amount(scale.least)), scale.most > scale.least && text(Math.max(step * count, 120), height - 4, amount(scale.most), 'end'));
};
const counts = (noun, items, name) => dataTable(noun, noun, items, name, [['count', '.num', i => number(i.count)]]);
/* How the values of an argument are shown: items by age, values one by one, or numbers by size. */
const argumentFigures = a => {
  const figures = [];
  const add = (how, plot, table) => figures.push(figure(h('code', null, a.name), number(a.drawn) + ' drawn' + how, plot, table));
  const name = a.rule + ' ' + a.name;
  if (a.newer) add(', items by age', bars(name + ', items by age', a.newer.buckets.map(b => [place(b), b.count])), counts('item', a.newer.buckets, place));
  const scale = a.whole ? null : a.numbers || a.lengths;
  const how = a.numbers ? ', by size' : ', by length';
  if (scale) add(how, columns(name + how, scale), counts(a.numbers ? 'size' : 'length', scale.buckets, range));
  const values = scale ? a.values.filter(v => v.value === 'None') : [...a.values, ...(a.others ? [{ value: 'others', count: a.others }] : [])];
  if (values.length) add(', by value', bars(name + ', by value', values.map(v => [v.value, v.count])), counts('value', values, v => v.value));
  return figures;
};
const argumentsPanel = run => {
  const all = (run.arguments || []).filter(a => a.drawn);
  if (!all.length) return null;
  const rules = [...new Set(all.map(a => a.rule))];
  const groups = rules.map(rule => h('div.rule', null, h('h4', null, rule), h('div.plots', null, all.filter(a => a.rule === rule).map(argumentFigures))));
  const first = all.length > 24 ? 5 : rules.length;
  return panel('', 'Values of arguments', 'What the arguments were in the steps that ran: numbers by powers of two, items of bundles by their age, anything else by value.',
    groups.slice(0, first), rules.length > first && h('details', null, h('summary', null, 'The arguments of ' + counted(rules.length - first, 'more rule')), groups.slice(first)));
};

/* Passing examples, step by step. */

const pieces = sql => sql.map(part => typeof part === 'string' ? part : h('span.v', { title: ':' + part.p }, part.n || part.v));
const statement = s => [s.actor && h('p.soft', null, s.actor), s.sql && h('pre.sql', null, pieces(s.sql))];
const passingStep = s => h('li', null,
  h('p', null, s.n ? [h('b.soft', null, s.n + ' '), h('code', null, (s.made.length ? s.made.join(', ') + ' = ' : '') + s.call)] : h('b', null, 'At the start'),
    s.raised ? h('span.soft', null, ' raises ' + s.raised + ', as predicted') : s.answer && h('span.soft', null, ' → ' + s.answer)),
  (s.model || []).map(([name, after, before]) => h('p.change', null, h('code', null, name + ' = ' + after), before !== undefined && h('span.soft', null, ' was ', h('code', null, before)))),
  s.n > 0 && (s.statements || []).some(x => x.sql) && h('details.numbers', null, h('summary', null, 'SQL', h('span.sr', null, ' of step ' + s.n)), s.statements.map(statement)));
const passingPanel = run => run.passing && run.passing.length ? panel('', 'Passing examples', 'What is tested: examples that passed, those with the most different rules.',
  run.passing.map(p => h('details.passing', null, h('summary', null, 'Example ' + number(p.example) + ': ' + counted(p.steps, 'step') + ' of ' + counted(p.rules, 'rule')),
    h('ol', null, p.account.steps.filter(s => s.n > 0 || s.start).map(passingStep))))) : null;

return { pairsPanel, discoveryPanel, argumentsPanel, passingPanel };
};
