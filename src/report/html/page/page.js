/* The runs of the report, and what they say about themselves. */

/* What a run says about itself. */

const reasons = ['precondition false', 'bundle empty', 'no value to draw for an argument', 'limit reached', 'weight 0', 'the migration was at another step', 'given up: a filter refused what was drawn'];
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

const { pairsPanel, discoveryPanel, argumentsPanel, passingPanel } = coverage({ h, number, counted, panel, dataTable, scroll });
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
const comparedPanel = run => run.compared ? panel('', 'What was compared', 'What both databases were asked, and what they were not.',
  h('ul.health', null, run.compared.map(([title, text]) => h('li', null, h('b', null, title), h('span', null, text))))) : null;
const statsView = run => run.rules ? h('div.stats', null, comparedPanel(run), healthPanel(run), rulesPanel(run), sessionsPanel(run), passingPanel(run), discoveryPanel(run), pairsPanel(run), argumentsPanel(run), lengthsPanel(run), invariantsPanel(run), bundlesPanel(run),
  listPanel('Labels', 'Steps by their label.', run.labels, 'label'),
  listPanel('Ways to make examples', 'How many examples each way made.', run.ways.filter(([, n]) => n), 'way'), objectsPanel(run)) : h('p.soft', null, 'Details are left out, to keep this page small.');

/* Verdicts. */

const verdicts = {
  failed: ['fails', ''], passed: ['holds', '.good'], unmet: ['holds, but a requirement is not met', '.warn'], nothing: ['was not tested: nothing was run', '.warn'],
  interrupted: ['was interrupted; nothing had failed until then', '.warn'], stopped: ['could not be run', ''],
};
/* Of two databases: whether they agree. */
const ofTwo = { failed: 'differs', passed: 'agrees', unmet: 'agrees, but a requirement is not met' };
const wordOf = (run, word) => (run.compared && ofTwo[run.outcome]) || word;
/* Mutants survived: what holds is not tested well. */
const misses = run => run.mutation && run.mutation.survived > 0 && ['passed', 'unmet'].includes(run.outcome);
const sentence = run => {
  const [verdictWord, tone] = verdicts[run.outcome];
  const word = wordOf(run, verdictWord);
  const name = [strong(run.machine), ' '];
  const verdict = h('span.verdict' + tone, null, word);
  if (run.outcome === 'failed' && run.failures.length) {
    const f = run.failures[0];
    return [name, f.flaky ? h('span.verdict.warn', null, 'fails now and then') : verdict, run.causes > 1 ? ' in ' + number(run.causes) + ' ways. First, ' : ': ', f.sentence, '.'];
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
const chip = run => misses(run) ? h('span.chip.warn', null, 'misses ' + number(run.mutation.survived)) : h('span.chip' + chips[run.outcome][0], null, wordOf(run, chips[run.outcome][1]));

const alone = runs.length === 1 && !left;
const failing = runs.filter(run => run.outcome === 'failed');
const fine = runs.filter(run => run.outcome === 'passed');
const [hold, fails, fail] = runs.some(run => run.compared) ? [' agree', ' differs', ' differ'] : [' hold', ' fails', ' fail'];
const title = () => {
  if (!runs.length) return [h('span.verdict.warn', null, 'No machine has been run'), ' so far.'];
  if (alone) return sentence(runs[0]);
  if (failing.length) return [h('span.verdict', null, number(failing.length) + ' of ' + counted(runs.length, 'machine') + (failing.length === 1 ? fails : fail)), ': ', join(failing.slice(0, 4).map(r => strong(r.machine)), ', '), failing.length > 4 ? ', …' : '.'];
  const missing = runs.filter(misses);
  if (missing.length) return [h('span.verdict.warn', null, number(missing.length) + ' of ' + counted(runs.length, 'machine') + (missing.length === 1 ? ' misses' : ' miss') + ' planted faults'), ': ', join(missing.slice(0, 4).map(r => strong(r.machine)), ', '), missing.length > 4 ? ', …' : '.'];
  if (fine.length === runs.length && !left) return [h('span.verdict.good', null, 'All ' + counted(runs.length, 'machine') + hold), ': ' + counted(sum(runs.map(r => r.examples || 0)), 'example') + ' with ' + counted(sum(runs.map(r => r.steps || 0)), 'step') + ' found nothing wrong.'];
  return [h('span.verdict.warn', null, number(fine.length) + ' of ' + counted(runs.length, 'machine') + hold), ', and none' + fails + (left ? '; ' + number(left) + ' were not run.' : '.')];
};
const runView = (run, index) => {
  const problems = run.problems.length ? h('pre.card.problems', null, run.problems.join('\n')) : null;
  if (!run.failures) return h('div.run', { id: 'run-' + index }, alone ? null : h('div.title', null, h('h2', null, run.machine), chip(run)), problems);
  const told = run.failures.filter(f => f.difference).map(failure => failureView(run, failure, alone && run.failureCount === 1));
  const rest = run.failureCount - run.failures.length;
  const body = [problems, mutantsView(run), told.length > 1 && failuresIndex(run, told, rest), told.map(view => view.element),
    run.failures.filter(f => !f.difference).map(f => h('p', null, f.sentence)), told.length < 2 && rest > 0 && h('p.soft', null, '… and ' + counted(rest, 'failure') + ' more')];
  if (alone) return h('div.run', null, body, h('h2.sr', null, 'The run'), statsView(run));
  const stats = statsView(run);
  return h('div.run', { id: 'run-' + index },
    h('div.title', null, h('h2', null, run.machine), chip(run), facts(run)), body,
    run.outcome === 'failed' && run.failures.length || fine.length > 3 ? h('details.card', null, h('summary', null, 'Rules, pairs and counts of ' + run.machine), stats) : stats);
};
const index = () => h('nav.card.index', { 'aria-label': 'Machines' }, runs.length > 10 ? h('details', null, h('summary', null, 'All ' + counted(runs.length, 'machine')), indexTable()) : indexTable());
const indexTable = () => h('table', null, h('tbody', null, runs.map((run, i) =>
  h('tr', null, h('th', { scope: 'row' }, h('a', { href: '#run-' + i }, run.machine)), h('td', null, chip(run), ' ',
    run.outcome === 'failed' && run.failures && run.failures.length ? [run.failures[0].sentence, run.causes > 1 ? '; ' + number(run.causes - 1) + ' more' : ''] : run.problems.length ? h('span.soft', null, run.problems[0].split('\n')[0]) : null),
    h('td', null, run.failures && counted(run.examples, 'example') + ', ' + counted(run.steps, 'step') + ', ' + run.time)))));

const main = h('main', null, alone || !runs.length ? null : index(), runs.map(runView));
const find = finder();
const help = keysHelp();
document.body.prepend(
  h('header', null, h('div.top', null, h('p.mark', null, h('b', null, 'pgfsm'), ' report'),
    views.size > 0 && [find.element, h('button.copy.help', { type: 'button', title: 'Keys', 'aria-label': 'Keys', onclick: () => help.dialog.showModal() }, '?')]),
  h('h1', null, title()), alone ? facts(runs[0]) : null),
  main,
  h('footer', null, runs.some(r => r.detail) ? h('p', null, 'Some details are left out, to keep this file small; run a machine alone to see all of them.') : null,
    h('p', null, 'Made by pgfsm. This page loads nothing from the network.')),
  help.dialog, said);
begin(find, help);
const color = failing.length || runs.some(r => r.outcome === 'stopped') ? '%23b3261e' : runs.length && fine.length === runs.length ? '%231a6b3a' : '%23a06a00';
document.querySelector('link[rel=icon]').href = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="' + color + '"/></svg>';
document.title = (failing.length ? runs.some(run => run.compared) ? 'DIFFERS ' : 'FAIL ' : runs.length && fine.length === runs.length ? 'ok ' : '') + runs.map(r => r.machine).slice(0, 3).join(', ') + ' · pgfsm report';
