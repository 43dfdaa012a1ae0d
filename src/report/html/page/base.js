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
let ids = 0;

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

const place = failure => {
  const d = failure.difference;
  if (!failure.step) return d && d.inv ? 'after initialize' : 'in initialize';
  return (d && d.inv ? 'after step ' : 'in step ') + failure.step;
};

/* Rows. */

const cellText = cell => typeof cell === 'string' ? cell : cell.t;
const rowKey = cells => JSON.stringify(cells.map(cellText));
const showCell = cell => {
  if (typeof cell === 'string') return cell;
  if (!cell.n || cell.t === cell.n) return cell.t;
  return cell.maybe ? cell.t : [h('span.name', null, cell.n), h('span.aka', null, cell.t)];
};
const table = (columns, rows) => h('table.rows', null,
  h('thead', null, h('tr', null, h('th', { scope: 'col' }, h('span.sr', null, 'Row')), columns.map(c => h('th', { scope: 'col' }, c)))),
  h('tbody', null, rows));
