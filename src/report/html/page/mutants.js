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
/* `raises` as code. */
const quoted = text => (text || '').split('`').map((part, i) => i % 2 ? code(part) : part);
/* What survived for one cause is one item: the cause, what would kill it, how to go on. */
const causeView = (run, same) => {
  const m = same[0];
  const rules = [...new Set(same.map(s => s.rule).filter(Boolean))];
  return [h('p', null, m.why, same.every(s => s.rule) ? null : [' ', quoted(m.remedy)]),
    rules.map(rule => [h('p', null, same.find(s => s.rule === rule).ruleKind === 'rule' ? 'A rule' : 'An invariant', ' that kills ', join(same.filter(s => s.rule === rule).map(s => code(s.id)), ', '), ':'), h('pre.sql', null, rule)]),
    h('p.soft', null, m.rules.length ? ['Rules that name it: ', join(m.rules.map(([name, n]) => [code(name), ' (' + counted(n, 'step') + ')']), ', ')] : 'No rule names it itself.', ' ',
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
