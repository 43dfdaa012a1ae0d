/* Shows what the scripts of type application/json hold, one for each run (../html.c, ../account_json.c).
 * Text becomes text nodes and nothing else: it comes from databases and machines. */
document.documentElement.classList.add('scripted');
addEventListener('DOMContentLoaded', () => {
'use strict';

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

/* The steps of an account, and where model and database part. */
const history = failure => {
  const account = failure.account;
  const steps = account ? account.steps : [];
  const shown = steps.filter(s => s.n > 0 || s.start);
  const of = n => shown.find(s => s.n === n);
  const wanted = s => s && (s.checks || []).find(c => c.wanted);
  const parted = s => ((s && s.checks) || []).flatMap(c => c.parted);
  const first = shown.find(s => parted(s).length);
  const rowsOf = c => c && c.statements.length ? c.statements[c.statements.length - 1].answer : null;
  const last = failure.step;
  const difference = (parted(of(last)).find(p => wanted(of(last)) && wanted(of(last)).parted.includes(p))) || (account && account.end) || failure.difference;
  /* the first of the steps up to the last one that all have it */
  const since = test => {
    let from = null;
    for (let n = last; n >= 0 && of(n) && test(of(n)); n--) from = n;
    return from;
  };
  const has = cells => s => {
    const answer = rowsOf(wanted(s));
    return answer && answer.rows && answer.rows.some(row => rowKey(row) === rowKey(cells));
  };
  const differs = row => s => {
    const check = wanted(s);
    return check && check.parted.some(p => p.rows.some(r => r.kind === row.kind && rowKey(r.a || []) === rowKey(row.a || []) && rowKey(r.e || []) === rowKey(row.e || [])));
  };
  return {
    steps, shown, of, wanted, rowsOf, difference, last, initialize: steps.filter(s => s.n === 0 && !s.start),
    first: first ? first.n : last, firstBy: first && parted(first)[0],
    rowSince: row => row.a && since(has(row.a)), partedSince: row => since(differs(row)), had: (n, row) => of(n) && row.e && has(row.e)(of(n)),
  };
};

/* Several sessions side by side. */

const mine = (session, element) => { element.style.setProperty('--s', session); element.style.setProperty('--c', 'var(--s' + session + ')'); return element; };
const badge = step => mine(step.session, h('b.who', null, step.name));
/* The last line that says what a step came to. */
const answerOf = (race, index) => {
  const lines = race.lines.filter(l => l.step === index && l.answer !== undefined);
  return lines.filter(l => l.answer === race.steps[index].answer).pop() || lines.pop();
};
/* A row for each line, time downwards; in it a rail for each session, solid, dashed where it waits, dotted where it is
 * stopped. Where there is room, each session has a lane of its own. */
const lanesView = (race, before) => {
  const all = [...Array(race.sessions).keys()].map(i => i + 1);
  const of = line => race.steps[line.step].session;
  const first = all.map(s => race.lines.findIndex(l => of(l) === s));
  const last = all.map(s => race.lines.map(of).lastIndexOf(s));
  const wrong = new Set(race.orders.filter(o => !o.end).map(o => answerOf(race, o.steps[o.shown - 1])));
  const stands = {};
  const row = (line, at) => {
    const me = of(line);
    const rails = all.map(s => {
      const how = s === me ? '.acts' : at < first[s - 1] || at > last[s - 1] ? '.off' : stands[s] ? '.' + stands[s] : '';
      const ends = (at === first[s - 1] ? '.first' : '') + (at === last[s - 1] ? '.last' : '');
      return mine(s, h('i.rail' + how + (s === me ? ends + (stands[s] ? '.was-' + stands[s] : '') + (line.stands ? '.then-' + line.stands : '') : ''), { 'aria-hidden': 'true' }));
    });
    stands[me] = line.stands;
    return mine(me, h('li' + (line.sent ? '.sent' : '') + (line.stands ? '.' + line.stands : ''), null, rails,
      h('div.at', null, badge(race.steps[line.step]), ' ', line.text && (line.sent ? code(line.text) : h('span', null, line.text)), ' ',
        line.answer !== undefined && h('span.answered' + (wrong.has(line) ? '.wrong' : '') + (line.failed ? '.failed' : ''), null,
          h('span.sr', null, 'answer: '), h('span', { 'aria-hidden': 'true' }, '→ '), line.failed ? 'error: ' : '', line.answer || 'done'), ' ',
        wrong.has(line) && h('span.flag', null, 'contradicted below'))));
  };
  const left = race.lineCount - race.lines.length;
  const lanes = h('ol.lanes.of' + race.sessions, { tabindex: '0', 'aria-label': 'What the sessions do, in the order of time' }, race.lines.map(row), left > 0 && h('li.soft', null, '… and ' + number(left) + ' more lines'));
  lanes.style.setProperty('--n', race.sessions);
  const head = h('p.lane-heads.of' + race.sessions, null, all.map(s => mine(s, h('b', null, 'Session ' + String.fromCharCode(64 + s)))));
  head.style.setProperty('--n', race.sessions);
  const used = ['waits', 'stops'].filter(word => race.lines.some(l => l.stands === word));
  return h('div.card.part.race', null, h('h3', null, 'Side by side', h('span.soft', null, 'time goes down')), before,
    h('div.lane-box', null, head, lanes),
    used.length ? h('div.legend', null, used.map(word => mine(1, h('span', null, h('i.rail.' + word), { waits: 'waits for a lock', stops: 'is held by pgfsm' }[word])))) : null);
};
/* Each order, up to the first answer that contradicts it. */
const ordersView = (race, difference) => {
  const chips = order => order.steps.slice(0, order.shown).map((index, k) => {
    const b = badge(race.steps[index]);
    if (!order.end && k === order.shown - 1) b.classList.add('wrong');
    return b;
  });
  const row = order => h('li', null,
    h('span.order', null, h('span.sr', null, 'Order '), chips(order).flatMap((chip, i) => i ? [h('span', { 'aria-hidden': 'true' }, '→'), chip] : [chip]), order.shown < order.steps.length ? h('span.soft', null, '…') : null),
    h('span.why', null, order.end ? ['at the end, ', strong(order.who)] : [strong(race.steps[order.steps[order.shown - 1]].name), ' (' + order.who + ')'],
      order.should ? [' ' + order.should + ' ', h('span.e', null, order.expected), ', ' + order.but + ' ', h('span.a', null, order.actual)] : ' does not hold'));
  const left = race.orderCount - race.orders.length;
  const best = race.orders.filter(o => o.end)[0];
  return h('div.card.part.orders', null,
    h('h3', null, 'No order of the steps gives these answers', h('span.soft', null, counted(race.orderCount, 'order') + ' tried')),
    h('ol', { 'aria-label': 'Orders, and what contradicts each' }, race.orders.map(row), left > 0 && h('li.soft', null, '… and ' + number(left) + ' more')),
    best && difference.rows.length ? h('div.block', null, h('h4', null, best.who.replace(/^i/, 'I'), ' after ', best.steps.map(i => race.steps[i].name).join(' ')),
      scroll('Rows that differ', table(difference.columns, difference.rows.map(r => differing(r))))) : null);
};
const differing = (row, from) => {
  const cells = (row.a || row.e).map((cell, c) => row.kind === 'changed' && row.e[c].d
    ? h('td', null, h('span.e', null, h('span.sr', null, 'expected '), showCell(row.e[c])), h('span.a', null, h('span.sr', null, 'actual '), showCell(cell)))
    : h('td', null, showCell(cell)));
  const word = { unexpected: 'only in the database', missing: 'only in the model', changed: 'differs' }[row.kind];
  return h('tr.' + row.kind, null, h('td.word', null, row.place ? 'row ' + row.place + ': ' : null, word, from && h('span.since', null, from)), cells);
};

const failureView = (run, failure, main) => {
  const told = history(failure);
  const race = failure.race;
  const alone = failure.steps.length - (race ? race.steps.length : 0); /* steps before the sessions */
  const d = told.difference || failure.difference;
  const detail = h('div.card.part.step-part');
  const buttons = new Map();

  const stepLink = n => told.of(n) ? h('button.link', { type: 'button', onclick: () => select(n, true) }, n ? 'step ' + n : 'the start') : n ? 'step ' + n : 'the start';

  /* "in the database since step 1; the model stops expecting it at step 2" */
  const origin = row => {
    const parted = told.partedSince(row);
    const from = told.rowSince(row);
    if (!d.inv) return ['of ', stepLink(told.last)];
    if (parted === null) return '';
    if (row.kind === 'missing')
      return told.had(parted - 1, row) ? ['gone since ', stepLink(parted)] : ['expected since ', stepLink(parted)];
    if (row.kind === 'changed') return ['since ', stepLink(parted)];
    if (from === null || from >= parted) return ['there since ', stepLink(parted)];
    return ['there since ', stepLink(from), ', not expected since ', stepLink(parted)];
  };
  const errorView = error => h('div.error', null, h('dl', null,
    h('dt', null, 'error'), h('dd', null, code(error.condition), ' ', h('span.soft', null, error.sqlstate)),
    ['message', 'detail', 'hint', 'table', 'column', 'type', 'constraint', 'context'].filter(k => error[k])
      .map(k => [h('dt', null, k), h('dd', null, error[k])])));

  /* Who asked. */
  const asked = () => {
    const check = d.inv && told.wanted(told.of(told.last));
    const sent = check && check.statements[check.statements.length - 1];
    return sent ? contextOf(sent) : d.actor && !d.actor.startsWith('as {') ? d.actor.slice(3) : '';
  };
  const where = () => {
    const noticed = [place(failure)];
    const by = told.firstBy && told.firstBy.inv;
    if (by && !d.inv) return h('p', null, 'Model and database part at ', stepLink(told.first), ' already, where invariant ', strong(by), ' does not hold.');
    if (!d.inv || !told.shown.length) return null;
    if (told.first < told.last) {
      return h('p', null, 'Model and database part at ', stepLink(told.first),
        by && by !== d.inv ? ['; invariant ', strong(by), ' shows it. '] : '. ', 'Invariant ', strong(d.inv), ' says so ', noticed, '.');
    }
    return h('p.soft', null, told.last ? ['They agree up to step ', String(told.last - 1), ' and part at ', stepLink(told.last), ', where the invariant says so.'] : 'They differ from the start.');
  };
  const difference = () => h('div.card.part.diff', null,
    h('h3', null, d.inv ? ['Invariant ' + d.inv] : d.rule ? ['Rule ' + d.rule] : ['The start'], h('span.soft', null, place(failure)),
      d.fors.map(([name, value]) => h('span.chip.actor', null, name + ' = ' + value)), asked() && h('span.chip.actor', null, 'as ' + asked())),
    where(),
    d.check ? h('div.pair', null, h('div.model', null, h('h4', null, 'The check'), code(d.check)),
      h('div.base', null, d.left ? [h('h4', null, 'Its left side is'), code(d.left), h('h4', null, 'Its right side is'), code(d.right)]
        : [h('h4', null, 'gives'), code(d.actual || '')], d.returned && h('p.answer', null, 'of what the query returned: ', code(d.returned))))
      : d.expected || d.actual ? h('div.pair', null, h('div.model', null, h('h4', null, 'The model expects'), d.expected || 'nothing in particular'),
        h('div.base', null, h('h4', null, 'The database answers'), d.error && d.error.condition ? code(d.actual) : d.actual)) : null,
    d.rows.length ? h('div.block', null, scroll('Rows that differ', table(d.columns, d.rows.map(row => differing(row, origin(row))))),
      d.total > d.rows.length && h('p.soft', null, '… and ' + number(d.total - d.rows.length) + ' more')) : null,
    d.error && h('div.block', null, errorView(d.error)),
    d.why && h('p.block', null, d.why));

  /* A step. */

  const sqlView = parts => {
    const lines = parts.filter(p => typeof p === 'string').join('').split('\n').slice(1).filter(l => l.trim());
    const indent = Math.min(...lines.map(l => l.length - l.trimStart().length), 99);
    const pattern = new RegExp('\\n {0,' + (lines.length ? indent : 0) + '}', 'g');
    return h('pre.sql', null, parts.map(p => typeof p === 'string' ? p.replace(pattern, '\n')
      : h('span.v', { title: ':' + p.p + ' = ' + p.v }, p.n && p.v.length > 12 ? p.n : [p.v, p.n && h('span.aka', null, p.n)])));
  };
  const answerRows = answer => scroll('Rows of the answer', h('table.rows', null,
    h('thead', null, h('tr', null, answer.columns.map(c => h('th', { scope: 'col' }, c)))),
    h('tbody', null, answer.rows.map(row => h('tr', null, row.map(cell => h('td', null, showCell(cell))))))));
  const more = answer => answer.total > answer.rows.length && h('p.soft', null, '… and ' + number(answer.total - answer.rows.length) + ' more rows');
  const answerView = answer => {
    if (answer.error && d.error && answer.error.message === d.error.message) return h('p.answer', null, 'raises ', code(answer.error.condition));
    if (answer.error) return errorView(answer.error);
    if (answer.columns) return answer.rows.length ? [h('p.answer.soft', null, counted(answer.total, 'row')), answerRows(answer), more(answer)] : h('p.answer.soft', null, 'no rows');
    return answer.command ? h('p.answer.soft', null, answer.command) : null;
  };
  /* Who runs it: a context by its name; one that stands in the rule by what it sets. */
  const contextOf = s => s.actor && !s.actor.startsWith('{') ? s.actor
    : [s.role, ...(s.settings || []).map(([name, value]) => name + '=' + value)].filter(Boolean).join(', ');
  const statementView = s => h('div.block', null,
    h('h4', null, s.deferred ? 'Deferred constraints, as a commit checks them' : ['SQL', s.actor && !s.actor.startsWith('{') ? [' as ', code(s.actor), s.role && s.role !== s.actor ? [' (role ', code(s.role), ')'] : null] : s.role ? [' as role ', code(s.role)] : null]),
    s.sql && sqlView(s.sql),
    s.settings && s.settings.length ? h('p.settings', null, 'with ', join(s.settings.map(([k, v]) => h('code', null, k + ' = ' + v)), ', ')) : null,
    answerView(s.answer || {}));

  /* Two texts, of which the part that differs is marked. */
  const marked = (text, other) => {
    let a = 0;
    let b = 0;
    const inWord = at => /\w/.test(text[at] || '') && /\w/.test(text[at - 1] || '');
  while (a < text.length && text[a] === other[a]) a++;
    while (b < text.length - a && b < other.length - a && text[text.length - 1 - b] === other[other.length - 1 - b]) b++;
    while (a > 0 && inWord(a)) a--;
  while (b > 0 && inWord(text.length - b)) b--;
  return [text.slice(0, a), h('mark', null, text.slice(a, text.length - b)), text.slice(text.length - b)];
  };
  /* All variables as they are after the step; not where the details of an earlier one are left out. */
  const wholeModel = step => {
    const steps = told.shown.filter(s => s.n <= step.n);
    const now = new Map(steps.flatMap(s => s.model || []));
    return steps.some(s => s.brief) || steps.length !== step.n + 1 || now.size === step.model.length ? null
      : h('details.query', null, h('summary', null, 'The whole model'), h('div.vars', null, [...now].map(([name, value]) => h('div', null, h('b.mono', null, name), h('span.mono', null, value)))));
  };
  const unmoved = step => step.start ? null : h('p.soft', null, step.n === told.last && !d.inv ? 'The step failed before the model moved on.' : 'The model stays as it is.');
  const modelView = step => !step.model || !step.model.length ? unmoved(step)
    : h('div.vars', null, step.model.map(([name, now, before]) => h('div', null, h('b.mono', null, name),
      before === undefined ? h('span.mono', null, now)
        : h('span.mono', null, h('span.before', null, h('span.sr', null, 'before: '), marked(before, now)), h('br'), h('span.sr', null, 'after: '), '→ ', marked(now, before)))));

  /* The query of the invariant that failed, as it was before the step and as it is after it. */
  const queryView = step => {
    const now = told.wanted(step);
    const before = told.wanted(told.of(step.n - 1));
    const answer = told.rowsOf(now);
    if (!now || !answer || !answer.columns) return null;
    const old = told.rowsOf(before);
    const known = new Set((old && old.rows || []).map(rowKey));
    const wrong = new Set(now.parted.flatMap(p => p.rows).filter(r => r.a).map(r => rowKey(r.a)));
    const there = new Set(answer.rows.map(rowKey));
    const rows = answer.rows.map(row => {
      const key = rowKey(row);
      const name = wrong.has(key) ? 'guilty' : old && !known.has(key) ? 'new' : '';
      const word = [old && !known.has(key) ? 'new' : '', wrong.has(key) ? 'not expected' : ''].filter(Boolean).join(', ');
      return h('tr' + (name ? '.' + name : ''), null, h('td.word', null, word), row.map(cell => h('td', null, showCell(cell))));
    });
    const gone = (old && old.rows || []).filter(row => !there.has(rowKey(row)))
      .map(row => h('tr.gone', null, h('td.word', null, 'gone'), row.map(cell => h('td', null, showCell(cell)))));
    const missing = now.parted.flatMap(p => p.rows).filter(r => r.kind === 'missing')
      .map(r => h('tr.missing', null, h('td.word', null, 'missing'), r.e.map(cell => h('td', null, showCell(cell)))));
    const all = [...rows, ...gone, ...missing];
    return h('div.block', null,
      h('h4', null, 'Query of invariant ' + now.inv + (step.start ? '' : ', before and after the step')),
      h('div.pair', null,
        h('div.model', null, h('h4', null, 'The model expects'),
          before && before.expected !== undefined && before.expected !== now.expected ? [h('span.mono.soft', null, before.expected), h('br'), '→ '] : null,
          h('span.mono', null, now.expected === undefined ? (now.parted.length || !answer.rows.length ? 'no rows' : 'that its check holds') : now.expected)),
        h('div.base', null, h('h4', null, 'The database answers'),
          old && old.total !== answer.total ? [h('span.soft', null, counted(old.total, 'row')), ' → '] : null, answer.total ? counted(answer.total, 'row') : 'no rows')),
      all.length ? h('div.block', null, scroll('Rows of the query', table(answer.columns, all)), more(answer)) : null,
      (step.n === 0 || step.n === told.last) && h('details.query', null, h('summary', null, 'The query'), now.statements.map(s => sqlView(s.sql || []))));
  };
  /* Other invariants that do not hold here. */
  const othersView = step => (step.checks || []).filter(c => !c.wanted && c.parted.length).map(c =>
    h('div.block', null, h('h4', null, ['Invariant ', c.inv, c.fors ? ' for ' + c.fors : '', ' does not hold either']),
      c.parted.map(p => p.rows.length ? scroll('Rows that differ', table(p.columns, p.rows.map(row => differing(row))))
        : h('p', null, code(p.check || p.expected || ''), ' gives ', code(p.actual || '')))));

  const showStep = step => {
    const name = step.start ? 'Before the first step' : 'Step ' + step.n;
    fill(detail,
      h('h3', null, name, step.call && h('code', null, step.call)),
      step.brief ? h('p.soft', null, 'Its details are left out, to keep this page small.') : [
        step.start ? told.initialize.map(s => [h('div.block', null, h('b.mono', null, s.rule), s.raised && [' raises ', code(s.raised)]), (s.statements || []).map(statementView)]) : null,
        step.statements.map(statementView),
        h('div.block', null, h('h4', null, step.start ? 'The model' : 'The model, before and after'), modelView(step), wholeModel(step)),
        queryView(step), othersView(step),
        step.held ? h('p.block.soft', null, counted(step.held, race ? 'check' : 'other check') + (step.held === 1 ? ' holds' : ' hold') + ' here.') : null]);
  };
  const select = (n, move) => {
    const step = told.of(n);
    if (!step) return;
    for (const [at, button] of buttons) button.setAttribute('aria-pressed', String(at === n));
    showStep(step);
    if (move && detail.getBoundingClientRect().top > innerHeight - 120) detail.scrollIntoView({ block: 'start' });
    if (move && buttons.has(n) && document.activeElement && document.activeElement.classList.contains('link')) buttons.get(n).focus({ preventScroll: true });
  };

  /* The timeline. */

  const calls = told.shown.length ? told.shown : failure.steps.slice(0, alone).map((call, i) => ({ n: i + 1, call, bare: true }));
  const actors = step => [...new Set((step.statements || []).map(contextOf).filter(Boolean))];
  const result = step => {
    if (step.raised) return ['raises ', code(step.raised)];
    const answers = (step.statements || []).map(s => s.answer).filter(Boolean);
    const answer = answers[answers.length - 1];
    return answer ? (answer.error ? ['raises ', code(answer.error.condition)] : answer.columns ? counted(answer.total, 'row') : answer.command) : null;
  };
  const callText = text => {
    const at = text.indexOf('(');
    return at < 0 ? text : [strong(text.slice(0, at)), text.slice(at)];
  };
  const call = step => step.start ? (told.initialize.length ? 'initialize' : 'start') : callText(step.call);
  const sessionItem = step => mine(step.session, h('li', null, h('div.step.session', null, h('span.n', null, step.name),
    h('span', null, h('span.call', null, callText(step.call)), h('span.more', null, step.answer && h('span', null, step.answer),
      step.lost && h('span', null, 'lost against another session: counts as not done'))))));
  const stepItem = step => {
    const guilty = !race && step.n === told.first;
    const notices = !race && step.n === told.last;
    const flag = guilty && notices ? (d.inv ? 'they part here, and the invariant says so' : 'fails here')
      : guilty ? 'model and database part here' : notices ? (d.inv ? 'the invariant says so here' : 'fails here') : null;
    const inside = [
      h('span.n', null, step.n ? String(step.n) : '·'),
      h('span', null, h('span.call', null, call(step)),
        h('span.more', null, actors(step).map(a => h('span.chip.actor', null, a)), result(step) && h('span', null, result(step)),
          step.n > 0 && failure.remarks && failure.remarks[step.n - 1] && h('span', null, failure.remarks[step.n - 1]),
          step.made && step.made.length ? h('span', null, 'makes ', code(step.made.slice(0, 4).join(', ') + (step.made.length > 4 ? ', …' : ''))) : null,
          step.start && told.initialize.length ? h('span', null, counted(told.initialize.length, 'step') + ' before the first') : null,
          flag && h('span.flag', null, flag)))];
    const name = '.step' + (guilty ? '.guilty' : notices ? '.notices' : '');
    if (step.bare) return h('li', null, h('div' + name, null, inside));
    const button = h('button' + name, { type: 'button', 'aria-pressed': 'false', onclick: () => select(step.n, innerWidth <= 760) }, inside);
    buttons.set(step.n, button);
    return h('li', null, button);
  };
  const list = h('ol', { tabindex: '0', 'aria-label': 'Steps' }, calls.map((step, i) => [i && step.n - calls[i - 1].n > 1 ? h('li.gap', null, '… ' + counted(step.n - calls[i - 1].n - 1, 'step') + ' left out') : null, stepItem(step)]),
    race && race.steps.map(sessionItem));
  list.addEventListener('keydown', event => {
    const all = [...buttons.values()];
    const at = all.indexOf(document.activeElement);
    const to = at + ({ ArrowDown: 1, ArrowUp: -1 }[event.key] || 0);
    if (at >= 0 && to !== at && all[to]) {
      event.preventDefault();
      all[to].focus();
      all[to].click();
    }
  });

  /* What to do with it. */

  const pin = failure.steps.map(step => '      ' + step).join('\n');
  const pinName = (failure.id + ' ' + place(failure)).replace(/[^\w -]+/g, ' ').trim();
  const shrinking = failure.shrinking || {};
  const origins = [
    failure.file && ['stated in ', code(failure.file + ':' + failure.line)],
    failure.pinned ? ['pinned example ', code(failure.pinned)]
      : failure.example ? ['found in example ' + number(failure.example) + ' (' + counted(failure.exampleSteps, 'step') + ')' + (failure.stored ? ' of an earlier run' : '')
        + (shrinking.runs ? '; shortened to ' + counted(failure.step, 'step') + ' in ' + counted(shrinking.runs, 'run') + ', ' + shrinking.time : '')] : null,
    shrinking.cut && [shrinking.cut + (shrinking.runs ? ': this is the shortest so far' : ': not shortened')],
    failure.also.length ? ['also fails: ', join(failure.also.map(name => ['invariant ', strong(name)]), ', ')] : null,
    failure.noScript && ['no replay script: ' + failure.noScript], failure.note && [failure.note]].filter(Boolean);
  const actions = h('div.actions', null,
    h('div.buttons', null,
      failure.replay && copyButton('Copy replay', failure.replay, 'the command that replays it', true),
      failure.pinnable && copyButton('Copy as pinned example', '  - name: ' + pinName + '\n    steps: |\n' + pin + '\n', 'the lines for examples: in ' + run.path),
      run.again && copyButton('Copy run', run.again, 'the command that repeats the run')),
    h('div.origin', null, origins.map(o => h('p', null, o))));

  const foundView = () => {
    if (!failure.found) return null;
    const left = failure.foundSteps - failure.found.length;
    const removed = failure.foundSteps - failure.steps.length;
    if (!removed && failure.found.every(([text], i) => text === failure.steps[i])) return null;
    return h('details.card.shrunk', null,
      h('summary', null, 'As found: ' + counted(failure.foundSteps, 'step') + ' · shortened: ' + counted(failure.steps.length, 'step')),
      h('div.two', null,
        h('div', null, h('h4', null, 'As found; what shortening removed is struck out'), h('ol', null, failure.found.map(([text, stays, name]) =>
          h('li' + (stays ? '.in' : '.out'), { 'data-name': name }, stays ? null : h('span.sr', null, 'removed: '), text))), left > 0 && h('p.soft', null, '… and ' + number(left) + ' more')),
        h('div', null, h('h4', null, 'Shortened'), h('ol', null, failure.steps.map((text, i) => h('li.in', { 'data-name': i >= alone ? race.steps[i - alone].name : null }, text))))));
  };
  const shorterView = () => failure.shorter && h('details.card.shrunk', null, h('summary', null, 'A shorter or simpler form: ' + counted(failure.shorter.length, 'step')),
    h('div.two', null, h('ol', null, failure.shorter.map(text => h('li.in', null, text)))));
  const before = () => alone ? h('p.soft', null, 'The sessions begin after ', told.of(alone) ? stepLink(alone) : 'step ' + alone, '.') : null;
  const doubt = failure.flaky ? 'It did not fail in the same way when it was run again' + (failure.flakyWhy ? ': ' + failure.flakyWhy : '') + '. Usual causes: the clock, random(), a sequence, rows without ORDER BY.'
    : failure.leftover ? 'It did not fail on a new connection: it depends on something that an earlier example left behind and no rollback removes.' : null;

  const article = h('article.failure', null,
    main ? h('h2.sr', null, 'The failure') : h('div.head', null, h('h2', null, failure.sentence)),
    doubt && h('p.doubt', null, doubt),
    h('div.split', null,
      h('div.card.steps', null,
        h('h3', null, failure.pinned ? 'The pinned example' : 'The shortest failing sequence', h('span.soft', null, counted(failure.step, 'step'))), list, actions),
      h('div.evidence', null, race ? [lanesView(race, before()), ordersView(race, failure.difference)] : difference(), told.shown.length ? detail : null)),
    foundView(), shorterView());
  if (told.shown.length) select(told.of(told.first) ? told.first : told.shown[told.shown.length - 1].n);
  /* a long list begins at the step where they part */
  requestAnimationFrame(() => {
    const guilty = list.querySelector('.guilty');
    const wrong = article.querySelector('.lanes .wrong');
    if (wrong) {
      const lanes = wrong.closest('.lanes');
      lanes.scrollTop = wrong.closest('li').offsetTop - lanes.offsetTop - lanes.clientHeight + 60;
    }
    if (!race) list.scrollTop = list.scrollHeight;
    if (guilty && guilty.parentNode.offsetTop < list.scrollTop) list.scrollTop = guilty.parentNode.offsetTop - 6;
  });
  return article;
};

/* What a run says about itself. */

const reasons = ['precondition false', 'bundle empty', 'an argument without a value', 'limit reached', 'weight 0', 'given up: a filter refused what was drawn'];
const micro = us => us < 1000 ? us + ' µs' : (us / 1000).toFixed(us < 100000 ? 1 : 0) + ' ms';
const bar = (parts, whole, label) => h('span.bar', { role: 'img', 'aria-label': label },
  parts.map(([value, name]) => { const i = h('i' + (name ? '.' + name : '')); i.style.width = 100 * value / (whole || 1) + '%'; return value ? i : null; }));
const panel = (size, title, note, ...children) => h('div.card' + size, null, h('h3', null, title), note ? h('p', null, note) : null, children);
/* A row for each item, headed by its name. Columns: [heading, class, what is in the cell]; one with nothing in it is left
 * out. A phone shows each row of a wide table as a block, in which headings stand beside what is in the cells. */
const dataTable = (label, noun, items, name, columns) => {
  const kept = columns.map(([head, kind, cell]) => ({ head, kind, cells: items.map(cell) })).filter(c => c.cells.flat().some(Boolean));
  const wide = columns.length > 4;
  const role = word => wide ? { role: word } : {}; /* what is shown as a block is no table for a screen reader */
  return scroll(label, h('table.data' + (wide ? '.wide' : ''), role('table'),
    h('thead', role('rowgroup'), h('tr', role('row'), h('th', { scope: 'col', ...role('columnheader') }, noun),
      kept.map(c => h('th' + c.kind, { scope: 'col', ...role('columnheader') }, c.kind === '.picture' ? h('span.sr', null, c.head) : c.head)))),
    h('tbody', role('rowgroup'), items.map((item, i) => h('tr', role('row'), h('th', { scope: 'row', ...role('rowheader') }, name(item)),
      kept.map(c => h('td' + c.kind, { 'data-head': c.kind !== '.picture' && c.head, ...role('cell') }, c.cells[i])))))));
};
const timeColumns = [['mean', '.num', item => item.mean !== undefined && micro(item.mean)], ['95 % below', '.num', item => item.p95 !== undefined && micro(item.p95)]];

const rulesPanel = run => {
  const most = Math.max(1, ...run.rules.map(r => r.ran));
  const back = r => [...r.blocked, r.givenUp];
  const tries = r => sum(back(r)) + r.ran;
  const share = r => Math.round(100 * sum(back(r)) / tries(r)) + ' %';
  const mainly = r => reasons[back(r).indexOf(Math.max(...back(r)))] + (back(r).filter(Boolean).length > 1 ? ', …' : '');
  return panel('', 'Rules', 'How often each rule ran, and what kept it back where it was tried.',
    dataTable('Rules', 'rule', run.rules, r => r.name, [
      ['share', '.picture', r => bar([[r.ran - r.refused], [r.refused, 'quiet']], most, counted(r.ran, 'step'))],
      ['steps', '.num', r => r.off ? 'left out' : number(r.ran)],
      ['kept back', '', r => sum(back(r)) ? bar(back(r).map((n, i) => [n, 'k' + i]), tries(r), share(r) + ' of tries kept back') : null],
      ['mostly by', '', r => sum(back(r)) ? share(r) + ': ' + mainly(r) : ''],
      ['errors raised', '', r => join(r.raised.map(([name, n]) => h('span', null, code(name), ' ', number(n))), ', ')],
      ...timeColumns]),
    h('div.legend', null, h('span', null, h('i'), 'steps'), run.rules.some(r => r.refused) && h('span', null, h('i.quiet'), 'of them, those that the model expects no result of'),
      reasons.map((text, i) => run.rules.some(r => back(r)[i]) && h('span', null, h('i.k' + i), text))));
};

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

const invariantsPanel = run => run.invariants.length ? panel('.third', 'Invariants', null,
  dataTable('Invariants', 'invariant', run.invariants, i => i.name, [['checked', '.num', i => number(i.checked)], ['skipped', '.num', i => i.skipped ? number(i.skipped) : ''],
    ...(run.invariants.some(i => i.asked) ? [['always asked', '', i => i.asked]] : []), ...timeColumns])) : null;
const bundlesPanel = run => {
  const bundles = run.bundles.filter(b => b.examples);
  const most = Math.max(1, ...bundles.map(b => b.most));
  const mean = b => b.values / b.examples;
  return bundles.length ? panel('.third', 'Sizes of bundles', 'At the ends of examples: the mean, and up to the most.',
    dataTable('Bundles', 'bundle', bundles, b => b.name, [
      ['size', '.picture', b => bar([[mean(b)], [b.most - mean(b), 'quiet']], most, 'mean ' + mean(b).toFixed(1))],
      ['mean', '.num', b => mean(b).toFixed(1)], ['most', '.num', b => number(b.most)]])) : null;
};
const sessionsPanel = run => {
  const of = run.sessions;
  return of ? panel('', 'Sessions side by side', 'Each example first ran with one step after the other, then with its sessions side by side, by one schedule after the other.',
    h('ul.told', null, [
      [number(of.examples), of.examples === 1 ? 'example' : 'examples'],
      [number(of.schedules), of.schedules === 1 ? 'schedule' : 'schedules'],
      [of.points, 'points in an example where a session can be stopped, on average'],
      of.lost && [number(of.lost), of.lost === 1 ? 'step lost against another session, and counts as not done' : 'steps lost against another session, and count as not done'],
      of.unclear && [number(of.unclear), (of.unclear === 1 ? 'schedule says' : 'schedules say') + ' nothing: in some order a step could not run or would have sent something else, and no other order explains the answers'],
      of.places && ['1 in ' + of.places, 'at least: the probability that a schedule with one switch shows a given race of depth 2'],
      of.places && [of.missed, 'at most: the probability that the ' + number(of.looked) + ' of them miss a race that all these examples contain']]
      .filter(Boolean).map(([n, text]) => h('li', null, h('b', null, n), ' ', h('span', null, text))))) : null;
};
const lengthsPanel = run => {
  const most = Math.max(1, ...run.lengths);
  const last = run.lengths.length - 1;
  const label = i => i === 0 ? '0' : i === last ? 'more' : String(run.lengthWidth === 1 ? i : (i - 1) * run.lengthWidth + 1);
  const range = i => i === 0 || run.lengthWidth === 1 || i === last ? label(i) : label(i) + '–' + i * run.lengthWidth;
  return run.examples ? panel(run.paired && run.paired.length > 1 && run.paired.length < 10 ? '.half' : '.third', 'Lengths of examples', 'How many examples have so many steps.', h('div.hist', null, run.lengths.map((n, i) => i === last && !n ? null : h('div', { title: counted(n, 'example') + ' of ' + range(i) + ' steps' },
    n ? h('span', null, number(n)) : null, (() => { const b = h('i'); b.style.height = 72 * n / most + '%'; return b; })(), h('span', null, h('span.sr', null, 'steps: '), label(i)))))) : null;
};
const listPanel = (title, note, items, noun) => {
  const most = Math.max(1, ...items.map(([, n]) => n));
  return items.length ? panel('.third', title, note, dataTable(title, noun, items, ([name]) => name,
    [['share', '.picture', ([, n]) => bar([[n]], most, number(n))], ['count', '.num', ([, n]) => number(n)]])) : null;
};
const objectsPanel = run => {
  if (!run.objects) {
    return run.failures.length ? h('p.soft.note', null, 'Which objects of the schema a run touches is measured only if nothing fails.') : null;
  }
  const kinds = ['functions', 'trigger functions', 'tables', 'policies'].map((name, kind) => {
    const all = run.objects.filter(o => o[0] === kind);
    return { name, all: all.length, touched: all.filter(o => o[2]).length };
  }).filter(k => k.all);
  if (!kinds.length) return null;
  const untouched = run.objects.filter(o => !o[2]);
  return panel(untouched.length > 8 ? '' : '.third', 'Objects of the schema', 'Which of them the run touched.',
    dataTable('Objects', 'kind', kinds, k => k.name, [
      ['share', '.picture', k => bar([[k.touched], [k.all - k.touched, 'quiet']], k.all, 'touched')],
      ['touched', '.num', k => number(k.touched)], ['of', '.num', k => number(k.all)]]),
    untouched.length ? [h('h4.block', null, 'Never touched'), h('ul.list', null, untouched.slice(0, 40).map(o => h('li', null, h('span.mono', null, o[1]), h('span.soft', null, o[3] || ''))),
      untouched.length > 40 && h('li.soft', null, '… and ' + number(untouched.length - 40) + ' more'))] : null,
    run.objectCount > run.objects.length && h('p.soft', null, 'The first ' + number(run.objects.length) + ' of ' + number(run.objectCount) + ' objects.'),
    run.noFunctions && h('p.soft', null, 'Functions are not counted: ' + run.noFunctions));
};
const healthPanel = run => {
  const known = run.known.map(k => ['known failure', k.what + (k.verdict === 'failed' ? ': failed ' + counted(k.failed, 'time') : k.verdict === 'passes' ? ' holds, but is marked xfail' : ': not seen in this run') + '; ' + k.reason]);
  const news = [...known, ...run.health];
  return news.length ? panel('', 'What to know', 'What the run did not test, or tested less than it seems.', h('ul.health', null, news.map(([title, text]) => h('li', null, h('b', null, title), h('span', null, text))))) : null;
};
/* What became of mutants. */

const colors = { survived: 'k1', killed: 'k2', broke: 'k3', 'timed out': 'k0', stillborn: 'k4', accepted: 'k5' }; /* others are quiet */
const tones = { survived: 'warn', broke: 'warn', 'timed out': 'warn', killed: 'good' };
/* The changed statement: what it was, what it becomes. */
const changeView = ([head, was, becomes, tail]) => h('pre.sql', null, head,
  was && h('del', null, h('span.sr', null, 'without the fault: '), was), becomes && h('ins', null, h('span.sr', null, 'with it: '), becomes), tail);
const mutantItem = m => h('div.mutant', { 'data-verdict': m.verdict },
  h('p', null, h('span.chip' + (tones[m.verdict] ? '.' + tones[m.verdict] : ''), null, m.verdict), ' ', strong(m.operator), ' ', code(m.object)),
  changeView(m.change),
  h('p.soft', null, code(m.id), m.place && [' in ', code(m.place)]));
/* What survived for one cause is one item: the cause, what would kill it, how to go on. */
const causeView = (run, same) => {
  const m = same[0];
  const rules = [...new Set(same.map(s => s.rule).filter(Boolean))];
  return [h('p', null, m.why, same.every(s => s.rule) ? null : [' ', m.remedy]),
    rules.map(rule => [h('p', null, same.find(s => s.rule === rule).ruleKind === 'rule' ? 'A rule' : 'An invariant', ' that kills ', join(same.filter(s => s.rule === rule).map(s => code(s.id)), ', '), ':'), h('pre.sql', null, rule)]),
    h('p.soft', null, m.rules.length ? ['Rules that name it: ', join(m.rules.map(([name, n]) => [code(name), ' (' + counted(n, 'step') + ')']), ', ')] : 'No rule names it.', ' ',
      copyButton('Copy --kill', m.kill, 'the command that runs it at length'), ' ', copyButton('Copy for mutants:', same.map(s => s.id).join(' ') + ': REASON', 'the line that accepts it'))];
};
const mutantGroup = (run, same) => h('li.cause', null,
  same.length > 1 && h('p', null, strong(number(same.length) + ' faults'), ' of ', code(same[0].object), ', 1 cause'),
  same.map(mutantItem),
  same[0].verdict === 'survived' ? causeView(run, same) : same[0].why && h('p', null, same[0].why));
const groupsOf = mutants => {
  const groups = new Map();
  mutants.forEach(m => { const key = m.group || m.id; groups.set(key, [...(groups.get(key) || []), m]); });
  return [...groups.values()];
};
const mutantsView = run => {
  const of = run.mutation;
  if (!of) return null;
  const count = verdict => (of.counts.find(([name]) => name === verdict) || [0, 0])[1];
  const graded = count('killed') + count('survived');
  const kinds = of.counts.filter(([, n]) => n);
  const list = h('ul.mutants', { 'aria-label': 'Mutants' });
  const choose = verdict => {
    const chosen = of.mutants.filter(m => !verdict || m.verdict === verdict);
    const missing = (verdict ? count(verdict) : of.count) - chosen.length;
    fill(list, groupsOf(chosen).map(same => mutantGroup(run, same)), missing > 0 && h('li.soft', null, '… and ' + number(missing) + ' more'));
    buttons.forEach(b => b.setAttribute('aria-pressed', String(b.dataset.verdict === verdict)));
  };
  const button = (verdict, label, n) => h('button.copy', { type: 'button', 'aria-pressed': 'false', 'data-verdict': verdict, onclick: () => choose(verdict) }, label + ' ' + number(n));
  const buttons = [...kinds.map(([name, n]) => button(name, name, n)), button('', 'all', of.count)];
  const filter = h('div.buttons', { role: 'group', 'aria-label': 'Show mutants by verdict' }, buttons);
  filter.addEventListener('keydown', event => {
    const next = buttons[buttons.indexOf(document.activeElement) + ({ ArrowRight: 1, ArrowLeft: -1 }[event.key] || buttons.length)];
    if (next) { next.focus(); next.click(); }
  });
  choose(kinds.length ? kinds[0][0] : '');
  return h('section.card.part.mutation', null, h('h2', null, 'Mutants', h('span.soft', null, ' ' + of.time)),
    h('p', null, graded ? [strong(number(count('killed')) + ' of ' + number(graded)), ' that were graded are killed: score ', strong(of.score), ' of ' + number(graded) + ' graded.'] : of.count ? 'None was graded.' : 'There are none.'),
    of.count > 0 && bar(kinds.map(([name, n]) => [n, colors[name] || 'quiet']), of.count, join(kinds.map(([name, n]) => number(n) + ' ' + name), ', ').join('')),
    of.count > 0 && h('div.legend', null, kinds.map(([name]) => h('span', null, h('i.' + (colors[name] || 'quiet')), name))),
    of.count > 0 && filter, list);
};
const statsView = run => run.rules ? h('div.stats', null, healthPanel(run), rulesPanel(run), sessionsPanel(run), pairsPanel(run), lengthsPanel(run), invariantsPanel(run), bundlesPanel(run),
  listPanel('Labels', 'Steps by their label.', run.labels, 'label'),
  listPanel('Ways to make examples', 'How many examples each way made.', run.ways.filter(([, n]) => n), 'way'), objectsPanel(run)) : h('p.soft', null, 'Details are left out, to keep this page small.');

/* Verdicts. */

const verdicts = {
  failed: ['fails', ''], passed: ['holds', '.good'], unmet: ['holds, but a requirement is not met', '.warn'], nothing: ['was not tested: nothing was run', '.warn'],
  interrupted: ['was interrupted; nothing had failed until then', '.warn'], stopped: ['could not be run', ''],
};
/* Mutants survived: what holds is not tested well. */
const misses = run => run.mutation && run.mutation.survived > 0 && ['passed', 'unmet'].includes(run.outcome);
const sentence = run => {
  const [word, tone] = verdicts[run.outcome];
  const name = [strong(run.machine), ' '];
  const verdict = h('span.verdict' + tone, null, word);
  if (run.outcome === 'failed' && run.failures.length) {
    const f = run.failures[0];
    return [name, f.flaky ? h('span.verdict.warn', null, 'fails now and then') : verdict, run.failureCount > 1 ? ' in ' + number(run.failureCount) + ' ways. First, ' : ': ', f.sentence, '.'];
  }
  if (misses(run)) return [name, h('span.verdict.warn', null, 'misses ' + number(run.mutation.survived) + ' of ' + counted(run.mutation.graded, 'planted fault')), run.outcome === 'unmet' ? ', and a requirement is not met.' : '.'];
  if (run.outcome === 'failed') return [name, verdict, ': ', (run.known.find(k => k.verdict === 'passes') || { what: 'something' }).what, ' holds, but is marked as a known failure.'];
  if (run.outcome === 'passed') return [name, verdict, run.rate ? ': ' + number(run.failedExamples) + ' of ' + counted(run.examples, 'example') + ' failed, made in the way ' + run.rate + '.' : run.replayed ? ': ' + run.replayed + ' no longer fails.' : ': ' + counted(run.examples, 'example') + ' with ' + counted(run.steps, 'step') + ' found nothing wrong.'];
  return [name, verdict, '.'];
};
const facts = run => run.seed === undefined ? null : h('p.facts', null,
  h('span', null, h('b', null, run.examples < run.planned ? number(run.examples) + ' of ' + number(run.planned) : number(run.examples)), run.planned === 1 ? ' example' : ' examples'),
  h('span', null, h('b', null, number(run.steps)), run.steps === 1 ? ' step' : ' steps'), h('span', null, h('b', null, run.time)), h('span', null, 'seed ', h('b', null, run.seed)),
  h('span', null, code(run.path)), run.cut && h('span.chip.warn', null, 'the time was up'),
  run.mutation && run.mutation.score && h('span', null, 'mutants killed ', h('b', null, run.mutation.score), ' of ' + number(run.mutation.graded) + ' graded'));

const chips = { failed: ['.bad', 'fails'], passed: ['.good', 'holds'], unmet: ['.warn', 'unmet'], nothing: ['.warn', 'nothing run'], interrupted: ['.warn', 'interrupted'], stopped: ['.bad', 'stopped'] };
const chip = run => misses(run) ? h('span.chip.warn', null, 'misses ' + number(run.mutation.survived)) : h('span.chip' + chips[run.outcome][0], null, chips[run.outcome][1]);

const alone = runs.length === 1 && !left;
const failing = runs.filter(run => run.outcome === 'failed');
const fine = runs.filter(run => run.outcome === 'passed');
const title = () => {
  if (!runs.length) return [h('span.verdict.warn', null, 'No machine has been run'), ' so far.'];
  if (alone) return sentence(runs[0]);
  if (failing.length) return [h('span.verdict', null, number(failing.length) + ' of ' + counted(runs.length, 'machine') + (failing.length === 1 ? ' fails' : ' fail')), ': ', join(failing.slice(0, 4).map(r => strong(r.machine)), ', '), failing.length > 4 ? ', …' : '.'];
  const missing = runs.filter(misses);
  if (missing.length) return [h('span.verdict.warn', null, number(missing.length) + ' of ' + counted(runs.length, 'machine') + (missing.length === 1 ? ' misses' : ' miss') + ' planted faults'), ': ', join(missing.slice(0, 4).map(r => strong(r.machine)), ', '), missing.length > 4 ? ', …' : '.'];
  if (fine.length === runs.length && !left) return [h('span.verdict.good', null, 'All ' + counted(runs.length, 'machine') + ' hold'), ': ' + counted(sum(runs.map(r => r.examples || 0)), 'example') + ' with ' + counted(sum(runs.map(r => r.steps || 0)), 'step') + ' found nothing wrong.'];
  return [h('span.verdict.warn', null, number(fine.length) + ' of ' + counted(runs.length, 'machine') + ' hold'), ', and none fails' + (left ? '; ' + number(left) + ' were not run.' : '.')];
};
const runView = (run, index) => {
  const problems = run.problems.length ? h('pre.card.problems', null, run.problems.join('\n')) : null;
  if (!run.failures) return h('div.run', { id: 'run-' + index }, alone ? null : h('div.title', null, h('h2', null, run.machine), chip(run)), problems);
  const failures = run.failures.map((failure, i) => failure.difference ? failureView(run, failure, alone && i === 0) : h('p', null, failure.sentence));
  const rest = run.failureCount - run.failures.length;
  const body = [problems, mutantsView(run), failures, rest > 0 && h('p.soft', null, '… and ' + counted(rest, 'failure') + ' more')];
  if (alone) return h('div.run', null, body, h('h2.sr', null, 'The run'), statsView(run));
  const stats = statsView(run);
  return h('div.run', { id: 'run-' + index },
    h('div.title', null, h('h2', null, run.machine), chip(run), facts(run)), body,
    run.outcome === 'failed' && run.failures.length || fine.length > 3 ? h('details.card', null, h('summary', null, 'Rules, pairs and counts of ' + run.machine), stats) : stats);
};
const index = () => h('nav.card.index', { 'aria-label': 'Machines' }, runs.length > 10 ? h('details', null, h('summary', null, 'All ' + counted(runs.length, 'machine')), indexTable()) : indexTable());
const indexTable = () => h('table', null, h('tbody', null, runs.map((run, i) =>
  h('tr', null, h('th', { scope: 'row' }, h('a', { href: '#run-' + i }, run.machine)), h('td', null, chip(run), ' ',
    run.outcome === 'failed' && run.failures && run.failures.length ? [run.failures[0].sentence, run.failureCount > 1 ? '; ' + number(run.failureCount - 1) + ' more' : ''] : run.problems.length ? h('span.soft', null, run.problems[0].split('\n')[0]) : null),
    h('td', null, run.failures && counted(run.examples, 'example') + ', ' + counted(run.steps, 'step') + ', ' + run.time)))));

document.body.prepend(
  h('header', null, h('p.mark', null, h('b', null, 'pgfsm'), ' report'), h('h1', null, title()), alone ? facts(runs[0]) : null),
  h('main', null, alone || !runs.length ? null : index(), runs.map(runView)),
  h('footer', null, runs.some(r => r.detail) ? h('p', null, 'Some details are left out, to keep this file under 300 kB; run a machine alone to see all of them.') : null,
    h('p', null, 'Made by pgfsm. This page loads nothing from the network.')),
  said);
const color = failing.length || runs.some(r => r.outcome === 'stopped') ? '%23b3261e' : runs.length && fine.length === runs.length ? '%231a6b3a' : '%23a06a00';
document.querySelector('link[rel=icon]').href = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="' + color + '"/></svg>';
document.title = (failing.length ? 'FAIL ' : runs.length && fine.length === runs.length ? 'ok ' : '') + runs.map(r => r.machine).slice(0, 3).join(', ') + ' · pgfsm report';
});
