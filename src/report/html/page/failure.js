/* One failure: its steps, and all there is at the one that is chosen. */

/* What differs, and since when. */
const differenceView = view => {
  const { failure, told, link } = view;
  const d = told.difference || failure.difference;
  /* "in the database since step 1; the model stops expecting it at step 2" */
  const origin = row => {
    if (d.differs) return '';
    const parted = told.partedSince(row);
    const from = told.rowSince(row);
    if (!d.inv) return ['of ', link(told.last)];
    if (parted === null) return '';
    if (row.kind === 'missing') return told.had(parted - 1, row) ? ['gone since ', link(parted)] : ['expected since ', link(parted)];
    if (row.kind === 'changed') return ['since ', link(parted)];
    if (from === null) return ['not expected since ', link(parted)];
    if (from >= parted) return ['there since ', link(parted)];
    return ['there since ', link(from), ', not expected since ', link(parted)];
  };
  /* Who asked. */
  const asked = () => {
    const check = d.inv && told.wanted(told.of(told.last));
    const sent = check && check.statements[check.statements.length - 1];
    return sent ? contextOf(sent) : d.actor && !d.actor.startsWith('as {') ? d.actor.slice(3) : '';
  };
  const where = () => {
    if (d.differs) return null;
    const by = told.firstBy && told.firstBy.inv;
    if (by && !d.inv) return h('p', null, 'Model and database differ from ', link(told.first), ' on, where invariant ', strong(by), ' does not hold.');
    if (!d.inv || !told.shown.length) return null;
    if (told.first < told.last) {
      return h('p', null, 'Model and database differ from ', link(told.first), ' on',
        by && by !== d.inv ? ['; invariant ', strong(by), ' shows it. '] : '. ', 'Invariant ', strong(d.inv), ' says so ', place(failure), '.');
    }
    return h('p.soft', null, told.last ? ['Model and database agree up to step ', String(told.last - 1), ' and differ from ', link(told.last), ' on.'] : 'They differ from the start.');
  };
  const oneSide = (kind, name, text, error) => h('div.' + kind, null, h('h4', null, name), error ? errorView(error) : text);
  const sides = () => d.differs ? h('div.pair', null, oneSide('model', 'Before', d.before, d.errorBefore), oneSide('base', 'After', d.after, d.errorAfter)) : d.check ? h('div.pair', null, h('div.model', null, h('h4', null, 'The check'), code(d.check)),
    h('div.base', null, d.left ? [h('h4', null, 'Its left side is'), code(d.left), h('h4', null, 'Its right side is'), code(d.right)]
      : [h('h4', null, 'gives'), code(d.actual || '')], d.returned && h('p.answer', null, 'of what the query returned: ', code(d.returned))))
    : d.expected || d.actual ? h('div.pair', null, h('div.model', null, h('h4', null, 'The model expects'), d.expected || 'nothing in particular'),
      h('div.base', null, h('h4', null, 'The database answers'), d.error && d.error.condition ? code(d.actual) : d.actual)) : null;
  /* How many rows there are says nothing where those that differ are listed. */
  const counts = d.rows.length && [d.expected || d.before, d.actual || d.after].every(text => /^(no|[\d,]+) rows?$/.test(text));
  return h('div.card.part.diff', null,
    h('h3', null, d.inv ? ['Invariant ' + d.inv] : d.place ? [d.place[0].toUpperCase() + d.place.slice(1)] : d.rule ? ['Rule ' + d.rule] : ['The start'], h('span.soft', null, place(failure)),
      d.fors.map(([name, value]) => h('span.chip.actor', null, name + ' = ' + value)), asked() && h('span.chip.actor', null, 'as ' + asked())),
    d.place && d.settings.length ? h('p.settings', null, 'with ', join(d.settings.map(([k, v]) => h('code', null, k + ' = ' + v)), ', ')) : null,
    where(), counts ? null : sides(),
    d.rows.length ? h('div.block', null, differingRows(told, d, origin),
      d.total > d.rows.length && h('p.soft', null, '… and ' + number(d.total - d.rows.length) + ' more')) : null,
    d.error && h('div.block', null, errorView(d.error)),
    whyView(view),
    d.why && h('p.block', null, d.why));
};
/* The line that is contradicted, with the values of its names. */
const whyView = view => {
  const why = view.failure.source;
  return why && h('div.block.why', null,
    h('h4', null, 'Why the model expects that', ' ', view.sourceLink(why.line, why.file + ':' + why.line)),
    h('pre.sql', null, why.text),
    (why.names || []).length ? h('dl.names', null, why.names.map(([name, value]) => [h('dt', null, code(name)), h('dd', null, code(value))])) : null);
};

/* The list of steps. */

const callText = text => {
  const at = text.indexOf('(');
  return at < 0 ? text : [strong(text.slice(0, at)), text.slice(at)];
};
const callOf = (told, step) => step.start ? (told.initialize.length ? 'initialize' : 'start') : callText(step.call);
const sessionItem = step => mine(step.session, h('li', null, h('div.step.session', null, h('span.n', null, step.name),
  h('span', null, h('span.call', null, callText(step.call)), h('span.more', null, step.answer && h('span', null, step.answer),
    step.lost && h('span', null, 'lost against another session: counts as not done'))))));
/* What the step has to do with the failure: [class, words]; or null. */
const partOf = (view, step) => {
  const { told, failure } = view;
  const inv = told.difference.inv;
  if (failure.race) return null;
  if (step.n === told.first) return ['guilty', step.n !== told.last ? 'model and database differ from here on' : inv || told.difference.differs ? 'differs here' : 'fails here'];
  return step.n === told.last ? ['notices', inv ? 'the invariant says so here' : 'fails here'] : null;
};
const stepItem = (view, step) => {
  const { told, failure } = view;
  const [kind, flag] = partOf(view, step) || ['', null];
  const actors = [...new Set((step.statements || []).map(contextOf).filter(Boolean))];
  const answer = answerOfStep(step);
  const inside = [
    h('span.n', null, step.n ? String(step.n) : '·'),
    h('span', null, h('span.call', null, callOf(told, step)),
      h('span.more', null, actors.map(a => h('span.chip.actor', null, a)), answer && h('span.answered', null, answer),
        step.n > 0 && failure.remarks && failure.remarks[step.n - 1] && h('span', null, failure.remarks[step.n - 1]),
        step.made && step.made.length ? h('span', null, 'makes ', code(step.made.slice(0, 4).join(', ') + (step.made.length > 4 ? ', …' : ''))) : null,
        step.start && told.initialize.length ? h('span', null, counted(told.initialize.length, 'step') + ' before the first') : null,
        flag && h('span.flag', null, flag)))];
  const name = '.step' + (kind ? '.' + kind : '');
  if (step.bare) return h('li', null, h('div' + name, null, inside));
  const button = h('button' + name, { type: 'button', 'aria-pressed': 'false', onclick: () => view.visit(step.n, innerWidth <= 760) }, inside);
  view.buttons.set(step.n, button);
  return h('li', null, button);
};
const stepList = view => {
  const { told, failure } = view;
  const race = failure.race;
  const calls = told.shown.length ? told.shown : failure.steps.slice(0, view.alone).map((call, i) => ({ n: i + 1, call, bare: true }));
  const list = h('ol', { tabindex: '0', 'aria-label': 'Steps' },
    calls.map((step, i) => [i && step.n - calls[i - 1].n > 1 ? h('li.gap', null, '… ' + counted(step.n - calls[i - 1].n - 1, 'step') + ' left out') : null, stepItem(view, step)]),
    race && race.steps.map(sessionItem));
  list.addEventListener('keydown', event => {
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!way || !document.activeElement.closest('button.step')) return;
    event.preventDefault();
    view.move(way);
    view.buttons.get(view.now().n).focus({ preventScroll: true });
  });
  return list;
};

/* The scrubber: a slider over the steps, with buttons. It moves at the pace of frames, however fast it is dragged. */
const scrubber = view => {
  const { told } = view;
  const steps = told.shown;
  const guilty = steps.findIndex(s => partOf(view, s));
  const at = n => steps.findIndex(s => s.n === n);
  const range = h('input', { type: 'range', min: '0', max: String(steps.length - 1), step: '1', 'aria-label': 'Step' });
  const button = (label, sign, go, kind = '') => h('button' + kind, { type: 'button', title: label, 'aria-label': label, onclick: go }, sign);
  const first = button('First step', '«', () => view.slide(0), '.end');
  const back = button('Step before', '‹', () => view.move(-1));
  const on = button('Next step', '›', () => view.move(1));
  const last = button('Last step', '»', () => view.slide(steps.length - 1), '.end');
  const ticks = steps.flatMap((s, i) => partOf(view, s) ? [[i, partOf(view, s)[0]]] : []);
  const track = h('span.track', null, range, ticks.map(([i, kind]) => {
    const tick = h('i.tick.' + kind, { 'aria-hidden': 'true' });
    tick.style.setProperty('--at', String(i / Math.max(1, steps.length - 1)));
    return tick;
  }));
  /* A frame for each place of the slider, however fast it is dragged. Where frames come late, each brings the part of the
   * step whose turn it is, and the rest follows. */
  let frame = 0;
  let before = 0;
  let late = 0;
  const draw = time => {
    frame = 0;
    late += time - before < 100 ? (time - before > 20 ? 1 : -0.05) : 0;
    late = Math.min(Math.max(late, 0), 8);
    before = time;
    const to = Number(range.value);
    if (to !== view.index) view.slide(to, 'replace', late > 4);
    if (view.card.next()) frame = requestAnimationFrame(draw);
  };
  range.addEventListener('input', () => { frame = frame || requestAnimationFrame(draw); });
  return {
    element: h('div.scrubber', { role: 'group', 'aria-label': 'Steps of the failure' }, first, back, track, on, last,
      guilty >= 0 && h('button.to-guilty', { type: 'button', onclick: () => view.visit(steps[guilty].n) }, told.difference.inv || told.difference.differs ? 'differs' : 'fails', ' at ' + (steps[guilty].n || 'the start'))),
    show(step) {
      const i = at(step.n);
      range.value = String(i);
      range.setAttribute('aria-valuetext', step.n ? 'step ' + step.n + ' of ' + told.last + ': ' + step.call : 'before the first step');
      first.disabled = back.disabled = i === 0;
      on.disabled = last.disabled = i === steps.length - 1;
    },
  };
};

/* What to do with it. */

const actionsView = view => {
  const { run, failure } = view;
  const pin = failure.steps.map(step => '      ' + step).join('\n');
  const pinName = (failure.id + ' ' + place(failure)).replace(/[^\w -]+/g, ' ').trim();
  const shrinking = failure.shrinking || {};
  const origins = [
    failure.file && ['stated in ', view.sourceLink(failure.line, code(failure.file + ':' + failure.line))],
    failure.pinned ? ['pinned example ', code(failure.pinned)]
      : failure.example ? ['found in example ' + number(failure.example) + ' (' + counted(failure.exampleSteps, 'step') + ')' + (failure.stored ? ' of an earlier run' : '')
        + (shrinking.runs ? '; shortened to ' + counted(failure.step, 'step') + ' in ' + counted(shrinking.runs, 'run') + ', ' + shrinking.time : '')] : null,
    shrinking.cut && [shrinking.cut + (shrinking.runs ? ': this is the shortest so far' : ': not shortened')],
    failure.also.length ? ['also fails: ', join(failure.also.map(name => ['invariant ', strong(name)]), ', ')] : null,
    failure.with ? ['probably for the same reason: ', failure.with] : null,
    failure.noScript && ['no replay script: ' + failure.noScript], failure.note && [failure.note]].filter(Boolean);
  return h('div.actions', null,
    h('div.buttons', null,
      failure.replay && copyButton('Copy replay', failure.replay, 'the command that replays it', true),
      failure.pinnable && copyButton('Copy as pinned example', '  - name: ' + pinName + '\n    steps: |\n' + pin + '\n', 'the lines for examples: in ' + run.path),
      run.again && copyButton('Copy run', run.again, 'the command that repeats the run')),
    h('div.origin', null, origins.map(o => h('p', null, o))));
};
const foundView = ({ failure, alone }) => {
  if (!failure.found) return null;
  const race = failure.race;
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
const shorterView = failure => failure.shorter && h('details.card.shrunk', null, h('summary', null, 'A shorter or simpler form: ' + counted(failure.shorter.length, 'step')),
  h('div.two', null, h('ol', null, failure.shorter.map(text => h('li.in', null, text)))));
const doubtOf = failure => failure.flaky ? 'It did not fail in the same way when it was run again' + (failure.flakyWhy ? ': ' + failure.flakyWhy : '') + '. Usual causes: the clock, random(), a sequence, rows without ORDER BY.'
  : failure.leftover ? 'It did not fail on a new connection: it depends on something that an earlier example left behind and no rollback removes.' : null;

/* The step that is chosen: its name, the scrubber, and all there is at it or the machine's source. */
const stepCard = view => {
  const { run, failure, told } = view;
  const slider = scrubber(view);
  const panels = stepPanels(told, failure.race, view.link, onScreen);
  const title = h('h3');
  const source = run.source && { pane: h('div', { hidden: true }), panel: null };
  const once = keeper();
  const tabs = source && ['This step', 'Source'].map((label, i) => h('button', { type: 'button', 'aria-pressed': String(!i), onclick: () => turn(i > 0) }, label));
  const stated = source && failure.file === run.source.file ? failure.line : 0;
  const ruleLine = step => step.rule ? lineOf(run, 'rules', step.rule) : 0;
  const turn = (on, line) => {
    if (on && !source.panel) {
      source.panel = sourcePanel(run, stated);
      source.pane.append(source.panel.element);
    }
    tabs.forEach((tab, i) => tab.setAttribute('aria-pressed', String(i > 0 === on)));
    source.pane.hidden = !on;
    panels.element.hidden = on;
    if (on) source.panel.show(ruleLine(view.now()), line || (view.now().n === told.last && stated));
    else panels.show(view.now());
    if (on && source.pane.getBoundingClientRect().bottom > innerHeight) card.scrollIntoView({ block: 'start' });
  };
  const card = h('div.card.part.step-part', null, h('div.bar-top', null, told.shown.length > 1 && slider.element, h('div.chosen', null, title, tabs && h('div.tabs', { role: 'group', 'aria-label': 'What is shown' }, tabs))), panels.element, source && source.pane);
  let due = 0;
  /* It grows and does not shrink while one slides: what is below stays where it is. */
  let height = 0;
  new ResizeObserver(([entry]) => {
    if (entry.contentRect.height <= height || panels.element.hidden) return;
    height = entry.contentRect.height;
    panels.element.style.minHeight = height + 'px';
  }).observe(panels.element);
  addEventListener('resize', () => { height = 0; panels.element.style.minHeight = ''; });
  return {
    element: card,
    turn: source ? turn : null,
    isSource: () => Boolean(source) && !source.pane.hidden,
    /* Brings the next part that is due; whether more are. */
    next() {
      if (due) panels.parts[--due % panels.parts.length](view.now());
      return due > 0;
    },
    show(step, inParts) {
      slider.show(step);
      swapNodes(title, once(step.n, () => {
        const line = ruleLine(step);
        const part = partOf(view, step);
        const answer = answerOfStep(step);
        return [document.createTextNode(step.start ? 'Before the first step' : 'Step ' + step.n), step.call && h('code', null, callText(step.call)), answer && h('span.answered', null, answer),
          part && h('span.flag', null, part[1]), line ? view.sourceLink(line, 'rule in line ' + line) : null].filter(Boolean);
      }));
      if (source && !source.pane.hidden) source.panel.show(ruleLine(step), step.n === told.last && stated);
      else if (inParts) due = due % panels.parts.length + panels.parts.length;
      else { due = 0; panels.show(step); }
    },
  };
};
const swapNodes = (parent, nodes) => parent.replaceChildren(...nodes);

/* For paper: every step, one after the other. */
const everyStep = view => {
  const { run, failure, told } = view;
  return h('div.every-step', null, told.shown.map(step => {
    const panels = stepPanels(told, failure.race, n => n ? 'step ' + n : 'the start', onPaper(told.last));
    panels.show(step);
    const part = partOf(view, step);
    return h('section.card.part' + (part ? '.' + part[0] : ''), null, h('h3', null, step.start ? 'Before the first step' : 'Step ' + step.n, step.call && code(step.call), h('span.answered', null, answerOfStep(step)), part && h('span.flag', null, part[1])), panels.element);
  }), run.source && failure.file === run.source.file ? statedExcerpt(run, failure.line) : null);
};

/* Scrolls a list so that a button in it is in sight. Where things are is asked once, not in each frame: the answer takes a
 * layout. */
const revealer = list => {
  const places = new Map();
  let top = 0;
  let height = 0;
  list.addEventListener('scroll', () => { top = list.scrollTop; }, { passive: true });
  addEventListener('resize', () => places.clear());
  return button => {
    if (!places.size || !height) {
      height = list.clientHeight;
      list.querySelectorAll('button.step').forEach(b => places.set(b, [b.parentNode.offsetTop, b.offsetHeight]));
    }
    const [from, size] = places.get(button);
    if (from < top || from + size > top + height) list.scrollTop = from - height / 2;
  };
};

/* Views of failures, by their names. */
const views = new Map();
const nameOf = failure => {
  const name = failure.name || String(failure.id).replace(/\W+/g, '-');
  let free = name;
  for (let i = 2; views.has(free); i++) free = name + '-' + i;
  return free;
};

const failureView = (run, failure, main) => {
  const told = historyOf(failure);
  const race = failure.race;
  const view = {
    run, failure, told, name: nameOf(failure), buttons: new Map(), index: -1,
    alone: failure.steps.length - (race ? race.steps.length : 0), /* steps before the sessions */
    now: () => told.shown[view.index],
    link: n => told.of(n) ? h('a', { href: '#' + view.name + '/' + n }, n ? 'step ' + n : 'the start') : n ? 'step ' + n : 'the start',
    sourceLink: (line, text) => run.source && told.shown.length ? h('button.link', { type: 'button', onclick: () => view.source(line) }, text) : text,
    /* Shows the step at an index. */
    slide(to, how = 'replace', inParts = false) {
      if (!told.shown[to]) return;
      const step = told.shown[to];
      const old = view.now() && view.buttons.get(view.now().n);
      const button = view.buttons.get(step.n);
      view.index = to;
      if (old) old.setAttribute('aria-pressed', 'false');
      button.setAttribute('aria-pressed', 'true');
      view.reveal(button);
      view.card.show(step, inParts);
      remember(view, how);
    },
    move: way => view.slide(view.index + way),
    visit(n, move) {
      view.slide(told.shown.findIndex(s => s.n === n), 'push');
      if (move && view.card.element.getBoundingClientRect().top > innerHeight - 120) view.card.element.scrollIntoView({ block: 'start' });
    },
    source(line) {
      if (!view.card || !view.card.turn) return;
      view.card.turn(true, line);
      if (view.card.element.getBoundingClientRect().bottom < 120) view.card.element.scrollIntoView({ block: 'start' });
    },
    guilty: () => told.of(told.first) ? told.first : told.shown.length ? told.shown[told.shown.length - 1].n : null,
  };
  told.stated = inv => {
    const line = lineOf(run, 'invariants', inv);
    return line ? [' ', view.sourceLink(line, 'line ' + line)] : null;
  };
  views.set(view.name, view);
  view.list = stepList(view);
  view.reveal = revealer(view.list);
  view.card = told.shown.length ? stepCard(view) : null;
  const before = () => view.alone ? h('p.soft', null, 'The sessions begin after ', told.of(view.alone) ? view.link(view.alone) : 'step ' + view.alone, '.') : null;
  const doubt = doubtOf(failure);
  view.element = h('article.failure', null,
    main ? h('h2.sr', null, 'The failure') : h('div.head', null, h('h2', null, failure.sentence)),
    doubt && h('p.doubt', null, doubt),
    h('div.split', null,
      h('div.card.steps', null,
        h('h3', null, failure.pinned ? 'The pinned example' : failure.difference && failure.difference.differs ? 'The shortest sequence that differs' : 'The shortest failing sequence', h('span.soft', null, counted(failure.step, 'step'))), view.list, actionsView(view)),
      h('div.evidence', null, race ? [lanesView(view, race, before()), ordersView(race, failure.difference, told)] : differenceView(view), view.card && view.card.element)),
    foundView(view), shorterView(failure));
  return view;
};
/* What needs its size: a list begins at the step where they part, lanes at what is wrong. */
const settle = view => {
  if (view.card && view.index < 0) view.slide(view.told.shown.findIndex(s => s.n === view.guilty()), null);
  const wrong = view.element.querySelector('.lanes .wrong');
  if (wrong) {
    const lanes = wrong.closest('.lanes');
    lanes.scrollTop = wrong.closest('li').offsetTop - lanes.offsetTop - lanes.clientHeight + 60;
  }
};
