/* What every part of the page is made of. Text becomes text nodes and nothing else: it comes from databases and machines. */
/* Elements: h('p.soft', {title: 't'}, 'text', [more]) */
const h = (what, props, ...children) => {
  const [tag, ...classes] = what.split('.');
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(' ');
  for (const [key, value] of Object.entries(props || {})) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  return fill(element, children);
};
const fill = (element, ...children) => {
  element.replaceChildren(...children.flat(Infinity).filter(c => c !== null && c !== undefined && c !== false && c !== ''));
  return element;
};
const number = n => n.toLocaleString('en-US');
const counted = (n, noun) => number(n) + ' ' + (n === 1 ? noun : noun.endsWith('y') ? noun.slice(0, -1) + 'ies' : noun + 's');
const strong = text => h('b', null, text);
const code = text => h('code', null, text);
const join = (items, between) => items.flatMap((item, i) => i ? [between, item] : [item]);
const sum = list => list.reduce((a, b) => a + b, 0);

const data = [...document.querySelectorAll('script[type="application/json"]')].map(s => JSON.parse(s.textContent));
const runs = data.filter(d => d.machine);
const worst = ['failed', 'stopped', 'interrupted', 'unmet', 'nothing', 'passed'];
runs.sort((a, b) => worst.indexOf(a.outcome) - worst.indexOf(b.outcome));
const left = sum(data.map(d => d.left || 0)); /* machines that were not run */
document.querySelectorAll('pre.plain').forEach(pre => pre.remove());

/* Copying. */

const said = h('div', { id: 'said', role: 'status', 'aria-live': 'polite' });
const say = text => {
  said.textContent = text;
  said.classList.add('on');
  clearTimeout(say.timer);
  say.timer = setTimeout(() => said.classList.remove('on'), 1800);
};
const copyOld = text => {
  const area = h('textarea', { 'aria-hidden': 'true' });
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  return done;
};
const copy = async (text, what) => {
  let done = false;
  try { await navigator.clipboard.writeText(text); done = true; } catch { done = copyOld(text); }
  say(done ? 'Copied ' + what : 'The browser does not let this page copy');
};
const copyButton = (label, text, what, main) =>
  h('button.copy' + (main ? '.main' : ''), { type: 'button', title: text, onclick: () => copy(text, what) }, label);

/* Wide things scroll by themselves, with the keyboard, too. */
const scroll = (label, child) => h('div.scroll', { role: 'group', 'aria-label': label, tabindex: '0' }, child);

/* Where it failed, in words. */
const place = failure => {
  const d = failure.difference;
  if (!failure.step) return d && d.inv ? 'after initialize' : 'in initialize';
  return (d && (d.inv || d.place) ? 'after step ' : 'in step ') + failure.step;
};

/* Rows. */

const cellText = cell => typeof cell === 'string' ? cell : cell === null ? 'NULL' : cell.t;
const rowKey = cells => JSON.stringify(cells.map(cell => cell === null ? null : cellText(cell)));
const showCell = cell => {
  if (cell === null) return h('span.soft', null, 'NULL');
  if (typeof cell === 'string') return cell;
  if (!cell.n || cell.t === cell.n) return cell.t;
  return cell.maybe ? cell.t : [h('span.name', null, cell.n), h('span.aka', null, cell.t)];
};
/* Of a table of many columns the screen shows the first ones, until its button is pressed; paper shows all, each row as a
 * block in which each cell has its column's name. */
const COLUMNS = 8;
const manyColumns = columns => columns.length > COLUMNS;
/* A row whose first cell says in words what became of it; `word` undefined: it has no such cell. */
const rowView = (columns, kind, word, cells) => h('tr' + (kind ? '.' + kind : ''), null,
  word !== undefined && h('td.word', null, word),
  cells.map((cell, i) => h('td' + (i < COLUMNS ? '' : '.far'), { 'data-head': columns[i] }, cell)));
const table = (columns, rows, words = true) => h('table.rows' + (manyColumns(columns) ? '.many' : ''), null,
  h('thead', null, h('tr', null,
    words && h('th', { scope: 'col' }, h('span.sr', null, 'Row')),
    columns.map((c, i) => h('th' + (i < COLUMNS ? '' : '.far'), { scope: 'col' }, c)))),
  h('tbody', null, rows));
/* What a phone shows as blocks is a table for screen readers only with roles. */
const tableRoles = { table: 'table', thead: 'rowgroup', tbody: 'rowgroup', tr: 'row', th: 'columnheader', td: 'cell' };
const withRoles = made => {
  [made, ...made.querySelectorAll('*')].forEach(e => tableRoles[e.localName] && e.setAttribute('role', tableRoles[e.localName]));
  return made;
};
const scrolled = (label, columns, made) => [scroll(label, made), manyColumns(columns) && columnsButton(columns, made)];
const columnsButton = (columns, made) => {
  const button = h('button.copy.columns', { type: 'button', 'aria-pressed': 'false', onclick: () => button.setAttribute('aria-pressed', String(made.classList.toggle('all-columns'))) }, 'All ' + columns.length + ' columns');
  return button;
};
