/* Finding the way: one failure at a time, links to its steps, a search over all of them, keys. */

let current = null; /* the view that keys are for */

/* Shows this failure, and hides the others of its run. */
const show = view => {
  current = view;
  for (const other of views.values()) {
    if (other.run !== view.run) continue;
    other.element.hidden = other !== view;
    if (other.entry) other.entry.setAttribute('aria-current', String(other === view));
  }
  settle(view);
};

/* The address names the failure and its step. What one comes to by a link or a click has a place in the browser's history;
 * what one slides over has not. */
const addressOf = view => '#' + view.name + (view.now() ? '/' + view.now().n : '');
let unwritten = null; /* what the address will be; each step of a slide has one, and browsers refuse that many */
const writeAddress = (how = 'replaceState') => {
  clearTimeout(remember.timer);
  const address = unwritten;
  unwritten = null;
  try { if (address && address !== location.hash) history[how](null, '', address); } catch { /* some sandboxes have no history */ }
};
const remember = (view, how) => {
  clearTimeout(remember.timer);
  current = view;
  unwritten = how ? addressOf(view) : null;
  if (how === 'push') writeAddress('pushState');
  else if (how) remember.timer = setTimeout(() => writeAddress(), 250);
};
/* A link to where the address still is would lead nowhere. */
document.addEventListener('click', () => writeAddress(), { capture: true });
/* Goes where the address says. */
const route = () => {
  let hash = location.hash.slice(1);
  try { hash = decodeURIComponent(hash); } catch { /* a link that was cut */ }
  const [name, n] = hash.split('/');
  const view = views.get(name);
  if (!view) return;
  show(view);
  if (n !== undefined && view.told.of(Number(n))) view.slide(view.told.shown.findIndex(s => s.n === Number(n)), null);
  const at = view.element.getBoundingClientRect();
  if (at.top > innerHeight - 200 || at.bottom < 200) view.element.scrollIntoView({ block: 'start' });
};
const goTo = view => {
  show(view);
  remember(view, 'push');
  view.element.scrollIntoView({ block: 'start' });
};

const failureWord = run => run.compared ? 'difference' : 'failure';
/* A run's failures, each as its sentence. */
const failuresIndex = (run, ofRun, rest) => h('nav.card.failures', { 'aria-label': 'Failures of ' + run.machine },
  h('h2', null, counted(run.failureCount, failureWord(run))),
  h('ol', null, ofRun.map(view => {
    view.entry = h('a', { href: '#' + view.name + (view.guilty() === null ? '' : '/' + view.guilty()) }, view.failure.sentence);
    return h('li', null, view.entry, ' ', h('span.soft', null, counted(view.failure.step, 'step'), view.failure.flaky ? ', now and then' : '', view.failure.race ? ', sessions side by side' : '', view.failure.with ? ', probably for the same reason as one above' : ''));
  })), rest > 0 && h('p.soft', null, '… and ' + counted(rest, failureWord(run)) + ' more'));

/* Search. What can be found at a step: [what it is, its text]. */
const textsOf = step => {
  const rows = list => (list || []).map(cells => cells.map(cell => cell && cell.n ? cell.n + ' ' + cell.t : cellText(cell)).join(' '));
  const sent = (step.statements || []).flatMap(s => [['SQL', (s.sql || []).map(p => typeof p === 'string' ? p : p.v).join('')],
    ...(s.answer && s.answer.error ? [['error', s.answer.error.condition + ' ' + s.answer.error.message]] : []), ...rows(s.answer && s.answer.rows).map(r => ['answer', r])]);
  return [['step', step.call || 'start'], ['answer', step.answer || ''], ...sent, ...(step.model || []).map(([name, now]) => ['model', name + ' = ' + now]),
    ...(step.tables || []).flatMap(t => rows((t.rows || []).map(r => r.a || r.b)).map(r => [t.name, r])),
    ...(step.checks || []).flatMap(c => [['invariant', c.inv], ...c.parted.flatMap(p => rows(p.rows.map(r => r.a || r.e)).map(r => ['invariant ' + c.inv, r]))])];
};
const everything = keeper();
const HITS = 40;
const search = words => {
  const wanted = words.toLowerCase();
  const all = everything('', () => [...views.values()].flatMap(view => [[view, null, 'failure', view.failure.sentence],
    ...view.told.shown.flatMap(step => textsOf(step).map(([what, text]) => [view, step.n, what, text]))]).map(entry => [...entry, entry[3].toLowerCase()]));
  const seen = new Set();
  return all.filter(([view, n, what, , text]) => {
    const key = view.name + '/' + n + '/' + what;
    const is = text.includes(wanted) && !seen.has(key);
    if (is) seen.add(key);
    return is;
  });
};
const hitView = ([view, n, what, text], words) => {
  const at = text.toLowerCase().indexOf(words.toLowerCase());
  const from = at < 50 ? 0 : at - 30;
  const step = n === null ? view.guilty() : n;
  return h('li', null, h('a', { href: '#' + view.name + (step === null ? '' : '/' + step) },
    h('span.where', null, views.size > 1 && n !== null && view.name + ' · ', n === null ? 'failure' : n ? 'step ' + n : 'start', what !== 'step' && n !== null && ' · ' + what), ' ',
    h('span.mono', null, from ? '…' : '', text.slice(from, at), h('mark', null, text.slice(at, at + words.length)), text.slice(at + words.length, at + words.length + 90), text.length > at + words.length + 90 ? '…' : '')));
};
const finder = () => {
  const list = h('ol');
  const count = h('p.soft', { role: 'status' });
  const hits = h('div.card.hits', { hidden: true }, count, list);
  const input = h('input', { type: 'search', id: 'find', placeholder: 'Find failures, steps, values', 'aria-label': 'Find failures, steps and values', autocomplete: 'off' });
  const close = () => { hits.hidden = true; };
  const look = () => {
    const words = input.value.trim();
    hits.hidden = !words;
    const found = words ? search(words) : [];
    count.textContent = found.length > HITS ? 'The first ' + HITS + ' of ' + number(found.length) + ' places' : counted(found.length, 'place');
    fill(list, found.slice(0, HITS).map(entry => hitView(entry, words)));
  };
  input.addEventListener('input', look);
  input.addEventListener('focus', () => input.value.trim() && look());
  hits.addEventListener('click', event => event.target.closest('a') && close());
  const box = h('search.finder', null, input, hits);
  box.addEventListener('keydown', event => {
    const links = [input, ...list.querySelectorAll('a')];
    const to = links[links.indexOf(document.activeElement) + ({ ArrowDown: 1, ArrowUp: -1 }[event.key] || links.length)];
    if (to) { event.preventDefault(); to.focus(); }
    if (event.key === 'Enter' && document.activeElement === input && links[1]) links[1].click();
    if (event.key === 'Escape') { input.value = ''; close(); input.blur(); }
  });
  box.addEventListener('focusout', event => { if (!box.contains(event.relatedTarget)) close(); });
  return { element: box, input };
};

/* Keys. */

const keyTable = [['← →', 'the step before, the next step'], ['↑ ↓', 'the same, in the list of steps'], ['Home End', 'the first step, the last step (in the slider or the list)'],
  ['f', 'the step that fails'], ['s', 'the machine\'s source, or back to the step'], ['j k', 'the next failure, the failure before'], ['/', 'find failures, steps, values'], ['?', 'these keys'], ['Esc', 'close']];
const keysHelp = () => {
  const on = h('input', { type: 'checkbox', checked: true, id: 'keys-on' });
  const dialog = h('dialog.keys', { 'aria-label': 'Keys' }, h('h2', null, 'Keys'),
    h('dl', null, keyTable.map(([keys, what]) => [h('dt', null, keys.split(' ').map(key => h('kbd', null, key))), h('dd', null, what)])),
    h('p', null, h('label', null, on, ' Single letters are keys')),
    h('button.copy', { type: 'button', onclick: () => dialog.close() }, 'Close'));
  return { dialog, on };
};
const neighbour = way => {
  const all = [...views.values()];
  return all[all.indexOf(current) + way];
};
const listen = (find, help) => {
  /* of sessions that begin at once, the lines */
  const step = way => current.lines && current.told.shown.length < 2 ? current.lines.move(way) : current.card && current.move(way);
  const ends = event => event.target.closest('.scrubber, .steps');
  const keys = {
    ArrowLeft: () => step(-1), ArrowRight: () => step(1),
    Home: event => ends(event) && current.card && (current.slide(0), true), End: event => ends(event) && current.card && (current.slide(current.told.shown.length - 1), true),
    f: () => current.card && current.visit(current.guilty()), s: () => current.card && current.card.turn && current.card.turn(!current.card.isSource()),
    j: () => neighbour(1) && goTo(neighbour(1)), k: () => neighbour(-1) && goTo(neighbour(-1)),
    '/': () => find.input.focus(), '?': () => help.dialog.showModal(),
  };
  document.addEventListener('keydown', event => {
    const typing = event.target.closest('input:not([type=range], [type=checkbox]), textarea, dialog, search');
    const scrolls = event.key.startsWith('Arrow') && event.target.closest('.scroll') || event.target.closest('.race input');
    const key = keys[event.key];
    if (!key || typing || scrolls || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key.length === 1 && !help.on.checked) return;
    const own = event.target.closest('.failure');
    const view = own && [...views.values()].find(v => v.element === own);
    if (view) current = view;
    if (key(event) !== false && (event.key.length === 1 || event.key.startsWith('Arrow') || ends(event))) event.preventDefault();
  });
};

/* Begins when the page stands. */
const begin = (find, help) => {
  if (!views.size) return;
  const runsSeen = new Set();
  for (const view of views.values()) {
    if (!runsSeen.has(view.run)) show(view);
    runsSeen.add(view.run);
  }
  current = views.values().next().value;
  listen(find, help);
  route();
  addEventListener('hashchange', route);
  addEventListener('popstate', route);
  addEventListener('beforeprint', () => views.forEach(view => { if (view.told.shown.length && !view.paper) view.element.append(view.paper = everyStep(view)); }));
  addEventListener('afterprint', () => views.forEach(view => { if (view.paper) view.paper.remove(); view.paper = null; }));
};
