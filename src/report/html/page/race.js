/* Several sessions side by side. */

const mine = (session, element) => { element.style.setProperty('--s', session); element.style.setProperty('--c', 'var(--s' + session + ')'); return element; };
const badge = step => mine(step.session, h('b.who', null, step.name));
/* The last line that says what a step came to. */
const answerOf = (race, index) => {
  const lines = race.lines.filter(l => l.step === index && l.answer !== undefined);
  return lines.filter(l => l.answer === race.steps[index].answer).pop() || lines.pop();
};
/* A slider over the lines: those behind the one that is chosen have not come yet. */
const lineSlider = rows => {
  const last = rows.length - 1;
  const range = h('input', { type: 'range', min: '0', max: String(last), 'aria-label': 'Line' });
  const button = (label, sign, way) => h('button', { type: 'button', title: label, 'aria-label': label, onclick: () => move(way) }, sign);
  const back = button('Line before', '‹', -1);
  const on = button('Next line', '›', 1);
  const show = to => {
    rows.forEach((row, i) => { row.classList.toggle('later', i > to); row.classList.toggle('now', i === to && to < last); });
    range.value = String(to);
    range.setAttribute('aria-valuetext', rows[to].querySelector('.at').textContent);
    back.disabled = to === 0;
    on.disabled = to === last;
  };
  const go = to => {
    show(to);
    const list = rows[to].parentNode;
    const top = rows[to].offsetTop - rows[0].offsetTop;
    if (top < list.scrollTop || top + rows[to].offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
  };
  const move = way => go(Math.min(Math.max(Number(range.value) + way, 0), last));
  range.addEventListener('input', () => go(Number(range.value)));
  show(last);
  return { element: h('div.scrubber', { role: 'group', 'aria-label': 'Lines of the sessions' }, back, h('span.track', null, range), on), move };
};
/* A row for each line, time downwards; in it a rail for each session, solid, dashed where it waits, dotted where it is
 * stopped. Where there is room, each session has a lane of its own. */
const lanesView = (view, race, before) => {
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
  const rows = race.lines.map(row);
  view.lines = rows.length > 1 ? lineSlider(rows) : null;
  const lanes = h('ol.lanes.of' + race.sessions, { tabindex: '0', 'aria-label': 'What the sessions do, in the order of time' }, rows, left > 0 && h('li.soft', null, '… and ' + number(left) + ' more lines'));
  lanes.style.setProperty('--n', race.sessions);
  const head = h('p.lane-heads.of' + race.sessions, null, all.map(s => mine(s, h('b', null, 'Session ' + String.fromCharCode(64 + s)))));
  head.style.setProperty('--n', race.sessions);
  const used = ['waits', 'stops'].filter(word => race.lines.some(l => l.stands === word));
  return h('div.card.part.race', null, h('h3', null, 'Side by side', h('span.soft', null, 'time goes down')), before,
    view.lines && view.lines.element, h('div.lane-box', null, head, lanes),
    used.length ? h('div.legend', null, used.map(word => mine(1, h('span', null, h('i.rail.' + word), { waits: 'waits for a lock', stops: 'is held by pgfsm' }[word])))) : null);
};
const inFull = text => text[0].toUpperCase() + text.slice(1) + '.';
/* Each order, up to the first answer that contradicts it. */
const ordersView = (race, difference, told) => {
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
    race.anomaly && h('p.block.anomaly', null, inFull(race.anomaly) + ' ', race.dependency ? inFull(race.dependency) + ' ' : '',
      h('span.soft', null, inFull(race.remedy))),
    best && difference.rows.length ? h('div.block', null, h('h4', null, best.who.replace(/^i/, 'I'), ' after ', best.steps.map(i => race.steps[i].name).join(' ')),
      differingRows(told, difference)) : null);
};
