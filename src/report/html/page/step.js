/* All there is at one step: what was sent and answered, the model, the tables, the invariants. */

/* What the two sides are called: model and database, or two databases. */
const sideWords = d => d.differs ? { unexpected: 'only after', missing: 'only before', changed: 'differs', e: 'before', a: 'after' }
  : { unexpected: 'only in the database', missing: 'only in the model', changed: 'differs', e: 'expected', a: 'actual' };
/* Rows that differ; `from` says since when. */
const differing = (columns, order, row, words, from) => {
  const word = words[row.kind];
  const side = (name, kind, cell) => h('span.' + kind, null, h('span.sr', null, name + ' '), showCell(cell));
  const cells = (row.a || row.e).map((cell, c) => row.kind === 'changed' && row.e[c].d
    ? [side(words.e, 'e', row.e[c]), side(words.a, 'a', cell)] : showCell(cell));
  return rowView(columns, row.kind, [row.place ? 'row ' + row.place + ': ' : null, word, from && h('span.since', null, from)], order.map(c => cells[c]));
};
const differingRows = (told, d, from) => {
  const order = told.order(d.columns, d.rows);
  const columns = order.map(c => d.columns[c]);
  return scrolled('Rows that differ', columns, withRoles(table(columns, d.rows.map(row => differing(columns, order, row, sideWords(d), from && from(row))))));
};
const errorView = error => h('div.error', null, h('dl', null,
  h('dt', null, 'error'), h('dd', null, code(error.condition), ' ', h('span.soft', null, error.sqlstate)),
  ['message', 'detail', 'hint', 'table', 'column', 'type', 'constraint', 'context'].filter(k => error[k])
    .map(k => [h('dt', null, k), h('dd', null, error[k])])));

/* Statements. */

const sqlView = parts => {
  const lines = parts.filter(p => typeof p === 'string').join('').split('\n').slice(1).filter(l => l.trim());
  const indent = Math.min(...lines.map(l => l.length - l.trimStart().length), 99);
  const pattern = new RegExp('\\n {0,' + (lines.length ? indent : 0) + '}', 'g');
  return h('pre.sql', null, parts.map(p => typeof p === 'string' ? p.replace(pattern, '\n')
    : h('span.v', { title: ':' + p.p + ' = ' + p.v }, p.n && p.v.length > 12 ? p.n : [p.v, p.n && h('span.aka', null, p.n)])));
};
const moreRows = answer => answer.total > answer.rows.length && h('p.soft', null, '… and ' + number(answer.total - answer.rows.length) + ' more rows');
const answerView = (answer, known) => {
  if (answer.error && known && answer.error.message === known.message) return h('p.answer', null, 'raises ', code(answer.error.condition));
  if (answer.error) return errorView(answer.error);
  if (!answer.columns) return answer.command ? h('p.answer.soft', null, answer.command) : null;
  if (answer.total === 1 && answer.columns.length === 1) return h('p.answer', null, h('span.soft', null, answer.columns[0] + ' → '), h('span.mono', null, showCell(answer.rows[0][0])));
  return answer.rows.length ? [h('p.answer.soft', null, counted(answer.total, 'row')),
    scrolled('Rows of the answer', answer.columns, table(answer.columns, answer.rows.map(row => rowView(answer.columns, '', undefined, row.map(showCell))), false)), moreRows(answer)]
    : h('p.answer.soft', null, 'no rows');
};
/* Who runs it: a context by its name; one that stands in the rule by what it sets. */
const contextOf = s => s.actor && !s.actor.startsWith('{') ? s.actor
  : [s.role, ...(s.settings || []).map(([name, value]) => name + '=' + value)].filter(Boolean).join(', ');
/* Two databases: side by side where they differ, else once. */
const bothAnswers = s => s.differs ? h('div.pair', null,
  h('div.model', null, h('h4', null, 'Before'), answerView(s.answer || {})), h('div.base', null, h('h4', null, 'After'), answerView(s.after)))
  : [answerView(s.answer || {}), h('p.soft', null, 'The same before and after.')];
const statementView = (s, known) => h('div.block', null,
  h('h4', null, s.deferred ? 'Deferred constraints, as a commit checks them' : ['SQL', s.actor && !s.actor.startsWith('{') ? [' as ', code(s.actor), s.role && s.role !== s.actor ? [' (role ', code(s.role), ')'] : null] : s.role ? [' as role ', code(s.role)] : null]),
  s.sql && sqlView(s.sql),
  s.settings && s.settings.length ? h('p.settings', null, 'with ', join(s.settings.map(([k, v]) => h('code', null, k + ' = ' + v)), ', ')) : null,
  s.after ? bothAnswers(s) : answerView(s.answer || {}, known));

/* Answers in a word. */
const answerOfStep = step => {
  if (step.after) return ['before ', code(step.answer || 'done'), ' after ', code(step.after)];
  if (step.raised) return ['raises ', code(step.raised)];
  if (step.answer) return ['→ ', code(step.answer)];
  const answers = (step.statements || []).map(s => s.answer).filter(Boolean);
  const answer = answers[answers.length - 1];
  return answer ? (answer.error ? ['raises ', code(answer.error.condition)] : answer.columns ? counted(answer.total, 'row') : answer.command) : null;
};

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

/* Elements that a step shares with its neighbours are made once: `make` is asked for each key only the first time. */
const keeper = () => {
  const kept = new Map();
  return (key, make) => {
    if (!kept.has(key)) kept.set(key, make());
    return kept.get(key);
  };
};
/* Makes the elements the parent's children, and leaves alone what is in its place already: a frame has 2 ms on a phone. */
const swap = (parent, elements) => {
  const wanted = new Set(elements);
  [...parent.children].forEach(child => wanted.has(child) || child.remove());
  let at = parent.firstChild;
  for (const element of elements) {
    if (at === element) at = at.nextSibling;
    else parent.insertBefore(element, at);
  }
};
const write = (element, text) => { if (element.textContent !== text) element.textContent = text; };
const hide = (element, hidden) => { if (element.hidden !== hidden) element.hidden = hidden; };
const sinceText = (n, link) => n === null ? '' : n === 0 ? 'there at the start' : ['since ', link(n)];

/* What is shown of a step's rows or variables, of which some are fresh: on the screen those and the first others; on paper
 * all at the last step, and what is fresh before it. */
const ROWS = 16;
const onScreen = { choose: (items, step, whole) => {
  let room = whole ? Infinity : Math.max(0, ROWS - items.filter(i => i.look).length);
  return items.filter(i => i.look || room-- > 0);
} };
const onPaper = last => ({ paper: true, choose: (items, step) => step.n === last || step.start ? items : items.filter(i => i.look) });

/* The model at a step: each variable, what it was and became, or since when it is so. */
const modelPanel = (link, medium) => {
  const once = keeper();
  const vars = h('div.vars');
  const row = (variable, version, fresh) => once(variable.name + (fresh ? ' fresh ' : ' ') + version.from, () => h('div' + (fresh ? '.fresh' : ''), null, h('b.mono', null, variable.name),
    fresh && version.before !== undefined
      ? h('span.mono', null, h('span.before', null, h('span.sr', null, 'before: '), marked(version.before, version.now)), h('br'), h('span.sr', null, 'after: '), '→ ', marked(version.now, version.before))
      : h('span.mono', null, version.now, h('span.since', null, fresh && version.from ? 'new' : sinceText(version.from, link)))));
  const note = h('p.soft');
  return {
    element: h('div.block.panel-model', null, h('h4', null, 'The model'), vars, note),
    show(variables, step, why) {
      const all = variables.map(v => ({ v, version: versionAt(v.versions, step.n) })).filter(({ version }) => version)
        .map(item => ({ ...item, look: item.version.from === step.n && !step.start }));
      swap(vars, medium.choose(all, step, true).map(({ v, version, look }) => row(v, version, look)));
      write(note, step.start || all.some(item => item.look) ? '' : why);
    },
  };
};

/* One table at a step. */
const tablePanel = (t, race, link, medium) => {
  const once = keeper();
  const columns = t.order.map(c => t.columns[c]);
  const made = table(columns, []);
  const body = made.querySelector('tbody');
  const title = h('span.soft');
  const note = h('p.soft');
  const all = h('button.copy.all', { type: 'button', onclick: () => { whole = !whole; show(now); } });
  let whole = false;
  let now = null;
  const cellView = (version, c, fresh) => {
    const value = showCell(version.cells[c]);
    if (fresh && version.was && version.since[c] === version.from) return [h('del', null, h('span.sr', null, 'before: '), showCell(version.was[c])), h('ins', null, h('span.sr', null, 'after: '), value)];
    return version.since[c] !== version.born && version.since[c] !== null ? [value, h('span.since-cell', null, ' since ' + version.since[c])] : value;
  };
  const words = (version, look) => look === 'gone' ? 'gone' : look === 'new' ? 'new' : look === 'altered' ? ['changed', h('span.since', null, sinceText(version.born, link))] : h('span.since', null, sinceText(version.born, link));
  const rowOf = (version, look) => once(look + ' ' + version.id, () =>
    rowView(columns, look, words(version, look), t.order.map(c => cellView(version, c, look === 'altered'))));
  const lookOf = (version, step) => version.gone && version.to === step.n ? 'gone' : version.from !== step.n || step.start ? '' : version.was ? 'altered' : 'new';
  const show = step => {
    now = step;
    const rows = rowsAt(t, step.n).map(version => ({ version, look: lookOf(version, step) }));
    const changed = rows.filter(r => r.look).length;
    const few = medium.choose(rows, step, whole);
    swap(body, few.map(r => rowOf(r.version, r.look)));
    const change = t.changes.get(step.n) || {};
    const there = rows.filter(r => r.look !== 'gone').length;
    write(title, t.why && !rows.length ? 'not read: ' + t.why : counted(there, 'row') + (!t.changed ? (race ? ', before the sessions' : ', which no step changes') : step.start ? '' : changed ? ', ' + number(changed) + ' changed here' : ', as before'));
    hide(element, medium.paper && !t.changed && !step.start);
    hide(made, !few.length);
    hide(all, rows.length <= ROWS);
    write(all, whole ? 'Show fewer' : 'Show all ' + number(rows.length) + ' rows');
    write(note, [change.more ? '… and ' + counted(change.more, 'changed row') + ' more' : '', change.why && rows.length ? 'not read: ' + change.why : ''].filter(Boolean).join('; '));
  };
  const rows = [scrolled('Table ' + t.name, columns, made), note, all];
  const element = t.changed ? h('div.block.panel-table', null, h('h4', null, 'Table ', code(t.name), ' ', title), rows)
    : h('details.query.panel-table', { open: medium.paper }, h('summary', null, 'Table ', code(t.name), ' ', title), rows);
  return { element, show };
};

/* The query of the invariant that failed, as it was before the step and as it is after it. */
const queryView = (told, step) => {
  const now = told.wanted(step);
  if (now && told.difference.differs) return h('div.block', null, h('h4', null, 'Query of invariant ' + now.inv, told.stated(now.inv)), now.statements.map(s => statementView(s)));
  const before = told.wanted(told.of(step.n - 1));
  const answer = told.rowsOf(now);
  if (!now || !answer || !answer.columns) return null;
  const old = told.rowsOf(before);
  const known = new Set((old && old.rows || []).map(rowKey));
  const wrong = new Set(now.parted.flatMap(p => p.rows).filter(r => r.a).map(r => rowKey(r.a)));
  const there = new Set(answer.rows.map(rowKey));
  const order = told.order(answer.columns, []);
  const columns = order.map(c => answer.columns[c]);
  const row = (kind, word, cells) => rowView(columns, kind, word, order.map(c => showCell(cells[c])));
  const rows = answer.rows.map(cells => {
    const key = rowKey(cells);
    const fresh = old && !known.has(key) && old.rows.length === old.total;
    return row(wrong.has(key) ? 'guilty' : fresh ? 'new' : '', [fresh ? 'new' : '', wrong.has(key) ? 'not expected' : ''].filter(Boolean).join(', '), cells);
  });
  const gone = (old && answer.rows.length === answer.total && old.rows || []).filter(cells => !there.has(rowKey(cells))).map(cells => row('gone', 'gone', cells));
  const missing = now.parted.flatMap(p => p.rows).filter(r => r.kind === 'missing').map(r => row('missing', 'missing', r.e));
  const all = [...rows, ...gone, ...missing];
  return h('div.block', null,
    h('h4', null, 'Query of invariant ' + now.inv + (step.start ? '' : ', before and after the step'), told.stated(now.inv)),
    h('div.pair', null,
      h('div.model', null, h('h4', null, 'The model expects'),
        before && before.expected !== undefined && before.expected !== now.expected ? [h('span.mono.soft', null, before.expected), h('br'), '→ '] : null,
        h('span.mono', null, now.expected === undefined ? (now.parted.length || !answer.rows.length ? 'no rows' : 'that its check holds') : now.expected)),
      h('div.base', null, h('h4', null, 'The database answers'),
        old && old.total !== answer.total ? [h('span.soft', null, counted(old.total, 'row')), ' → '] : null, answer.total ? counted(answer.total, 'row') : 'no rows')),
    all.length ? h('div.block', null, scrolled('Rows of the query', columns, table(columns, all)), moreRows(answer)) : null,
    (step.n === 0 || step.n === told.last) && h('details.query', null, h('summary', null, 'The query'), now.statements.map(s => sqlView(s.sql || []))));
};
/* Other invariants that do not hold here. */
const othersView = (told, step) => (step.checks || []).filter(c => !c.wanted && c.parted.length).map(c =>
  h('div.block', null, h('h4', null, 'Invariant ', c.inv, c.fors ? ' for ' + c.fors : '', ' does not hold either', told.stated(c.inv)),
    c.parted.map(p => p.rows.length ? differingRows(told, p)
      : h('p', null, code(p.check || p.expected || ''), ' gives ', code(p.actual || '')))));

/* What belongs to one step alone: before its model and tables, and behind them. */
const sentView = (told, step) => step.brief ? h('p.soft', null, 'Its details are left out, to keep this page small.') : [
  step.start ? told.initialize.map(s => [h('div.block', null, h('b.mono', null, s.rule), s.raised && [' raises ', code(s.raised)]), (s.statements || []).map(s => statementView(s))]) : null,
  (step.statements || []).map(s => statementView(s, told.difference && told.difference.error))];
const checkedView = (told, step, race) => [queryView(told, step), othersView(told, step),
  step.held ? h('p.block.soft', null, counted(step.held, race ? 'check' : 'other check') + (step.held === 1 ? ' holds' : ' hold') + (race ? ' before the sessions.' : ' here.')) : null];

/* All of it, one step at a time: `show` changes only what differs from the step before. */
const stepPanels = (told, race, link, medium) => {
  const once = keeper();
  const sent = h('div');
  const checked = h('div');
  const patchy = h('p.soft.block', null, 'Details of earlier steps are left out, so values and rows may be older than they seem.');
  const model = modelPanel(link, medium);
  const tables = told.tables.map(t => tablePanel(t, race, link, medium));
  const why = step => step.brief || (step.n === told.last && told.difference.differs) ? '' : step.n === told.last && !told.difference.inv ? told.difference.kind === 'missing error' ? 'The step should have raised an error. What it wrote was rolled back.' : 'The step failed before the model moved on.' : 'The model stays as it is.';
  hide(model.element, !told.variables.length);
  const parts = [
    step => swap(sent, [once('sent ' + step.n, () => h('div', null, sentView(told, step)))]),
    step => model.show(told.variables, step, why(step)),
    step => { tables.forEach(t => t.show(step)); hide(patchy, !told.patchy(step.n)); },
    step => swap(checked, [once('checked ' + step.n, () => h('div', null, checkedView(told, step, race)))]),
  ];
  return { element: h('div.at-step', null, sent, model.element, tables.map(t => t.element), patchy, checked), parts, show: step => parts.forEach(part => part(step)) };
};
