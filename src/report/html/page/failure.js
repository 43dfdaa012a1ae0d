/* One failure: its steps, and what each of them did. */
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
