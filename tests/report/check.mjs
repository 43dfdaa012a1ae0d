// check.mjs CHROMIUM AXE {FILE EXPECTED}...: opens HTML reports as their readers do, and complains of what is wrong. AXE
// is the script of axe-core; empty: none. EXPECTED is JSON: {"verdict": text of the heading, "texts": […], "guilty": whether there is a failure with its steps,
// "once": whether one size will do, "pictures": the titles of all, "mutants": how many have which verdict, "race": {"lines": what sessions do, "orders": what contradicts them},
// "time": {"name": of the failure, "steps": {a step: texts that are shown at it}, "hidden": {a step: texts that are not},
// "plain": whether axe need not look at it each time; "source": the line that is contradicted, "cut": whether that is of a long file, "find": words, "found": the step that has them}, "index": sentences of all failures}.
import { readFileSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { launch } from './browser.mjs';

const [chromium, axePath, ...reports] = process.argv.slice(2);
const axe = axePath && readFileSync(axePath, 'utf8') + ';0';
let file, expected, url;
const sizes = [[390, 844], [1024, 768], [1440, 1000]];
let failed = false;
const complain = (...words) => { console.log('FAILED:', file, ...words.map(w => String(w).slice(0, 600))); failed = true; };
const same = (what, found, right) => { if (found !== right) complain(what, JSON.stringify(found), 'and not', JSON.stringify(right)); };

async function look(browser, [width, height], dark) {
  const page = await browser.open(url, { width, height, dark, mobile: width < 500 });
  const name = `${width} x ${height}${dark ? ', dark' : ''}:`;
  same(`${name} console`, page.complaints.join('; '), '');
  same(`${name} requests`, page.requests.filter(r => !r.startsWith('data:')).join(' '), url);
  same(`${name} verdict`, await page.run(`document.querySelector('h1').textContent`), expected.verdict);
  same(`${name} scripts of others`, await page.run(`document.querySelectorAll('script:not([type])').length`), 1);
  same(`${name} width`, await page.run('document.documentElement.scrollWidth'), width);
  const text = await page.run('document.body.textContent');
  for (const part of expected.texts) if (!text.includes(part)) complain(name, 'there is no', JSON.stringify(part));
  same(`${name} pictures without words or numbers`, await page.run(`[...document.querySelectorAll('figure')].filter(f =>
    !f.querySelector('svg[role=img] > title').textContent || !/[0-9]/.test(f.querySelector('svg > desc').textContent) ||
    !f.querySelector('table tbody td')).map(f => f.textContent).join(' | ')`), '');
  if (expected.pictures) same(`${name} pictures`, await page.run(`[...document.querySelectorAll('svg.plot > title')].map(t => t.textContent).join('; ')`), expected.pictures);
  if (axe && (width < 500) !== dark && (!expected.plain || process.env.EVERY_SIZE)) {
    /* what is folded is read, too */
    await page.run(`folded = [...document.querySelectorAll('details:not([open])')]; folded.forEach(d => { d.open = true; }); 0`);
    await page.run(axe);
    const violations = await page.run(`axe.run(document, {resultTypes: ['violations']}).then(r =>
      r.violations.map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 120)).join(' | ')))`);
    for (const violation of violations) complain(name, 'axe:', violation);
    await page.run(`folded.forEach(d => { d.open = false; }); 0`);
  }
  if (width < 500) {
    same(`${name} tables that scroll sideways`, await page.run(`[...document.querySelectorAll('.scroll:has(> table.data)')]
      .filter(e => e.scrollWidth > e.clientWidth).map(e => e.getAttribute('aria-label')).join(', ')`), '');
  }
  return page;
}

/* The guilty step and row are in sight at once. */
async function inSight(page) {
  const wanted = expected.race ? ['.lanes .wrong', '.orders li'] : ['.step.guilty', '.diff tbody tr, .diff .error, .diff .pair'];
  const hidden = await page.run(`${JSON.stringify(wanted)}.filter(s => {
    const at = document.querySelector(s)?.getBoundingClientRect();
    return !at || at.top < 0 || at.bottom > innerHeight;
  }).join(' ')`);
  same('not in sight at 1440 x 1000:', hidden, '');
}

/* What sessions do, line by line, the waiting drawn; a lane for each of them where there is room, else one column. */
async function withLanes(page, width) {
  /* the two do the same: what is expected calls the one A that begins */
  const named = text => text.replace(/\b[AB](?=[1-9]?\b)/g, letter => first === 'A' ? letter : letter === 'A' ? 'B' : 'A');
  const first = await page.run(`document.querySelector('.lanes .who').textContent[0]`);
  const shown = async selector => (await page.run(`[...document.querySelectorAll('${selector}')].map(e => e.innerText.replace(/\\s+/g, ' '))`)).map(named);
  same(`${width}: lines`, (await shown('.lanes .at')).join('\n'), expected.race.lines.join('\n'));
  same(`${width}: orders`, (await shown('.orders li')).sort().join('\n'), expected.race.orders.join('\n'));
  same(`${width}: rails of those that wait`, await page.run(`[...document.querySelectorAll('.lanes .rail.waits')].filter(e => e.getBoundingClientRect().height >= 20).length`), expected.race.waits);
  const columns = await page.run(`new Set([...document.querySelectorAll('.lanes .at')].map(e => e.getBoundingClientRect().left)).size`);
  same(`${width}: columns`, columns, width < 500 ? 1 : expected.race.sessions);
  const there = () => page.run(`[...document.querySelectorAll('.lanes .at')].filter(e => e.checkVisibility({ visibilityProperty: true })).length`);
  await page.run(`(() => { const range = document.querySelector('.race input'); range.value = '1'; range.dispatchEvent(new Event('input')); })()`);
  same(`${width}: lines up to the second`, await there(), 2);
  await page.run(`document.querySelector('.race .scrubber button:last-child').click()`);
  same(`${width}: lines up to the third`, await there(), 3);
  const narrow = await page.run(`Math.min(...[...document.querySelectorAll('.lanes .at')].map(e => e.getBoundingClientRect().width))`);
  if (narrow < 160) complain(`${width}: a line is ${narrow} wide`);
}

/* Tab comes to all that can be pressed or scrolled; Enter and arrows choose a step. */
async function withKeys(page) {
  const things = `[...document.querySelectorAll('a[href], button, input, summary, [tabindex="0"]')].filter(e => !e.disabled && e.checkVisibility({ contentVisibilityAuto: true }))`;
  await page.run(`window.met = new Set(); document.addEventListener('focusin', e => met.add(e.target)); 0`);
  const count = await page.run(`${things}.length`);
  for (let i = 0; i <= count; i++) await page.press('Tab', 9);
  same('out of reach of Tab:', await page.run(`${things}.filter(e => !met.has(e)).map(e => e.outerHTML.slice(0, 100)).join(' ')`), '');
  if (!expected.guilty) return;
  await page.run(`document.querySelector('button.step').focus()`);
  await page.press('Enter', 13, '\r');
  same('the step after Enter', await page.run(`document.querySelector('.step-part h3').firstChild.textContent`), 'Before the first step');
  await page.press('ArrowDown', 40);
  same('the step after an arrow', await page.run(`document.querySelector('.step-part h3').firstChild.textContent`), 'Step 1');
  await page.run(`document.querySelector('.actions .copy').focus()`);
  await page.press('Enter', 13, '\r');
  const word = await page.run(`new Promise(done => {
    const said = document.querySelector('#said');
    if (said.textContent) done(said.textContent);
    new MutationObserver(() => done(said.textContent)).observe(said, { childList: true });
    setTimeout(done, 20000, 'nothing');
  })`);
  same('the word on copying', word.split(' ')[0], 'Copied');
  same('pressed', await page.run(`document.querySelectorAll('.step[aria-pressed=true]').length`), 1);
}

const shownStep = page => page.run(`document.querySelector('.failure:not([hidden]) .step-part h3').firstChild.textContent`);
/* Waits for it, as the browser does not say when it has gone where a link leads. */
const comesTo = async (page, what, title) => {
  await page.run(`new Promise(done => {
    const look = () => document.querySelector('.failure:not([hidden]) .step-part h3').firstChild.textContent === ${JSON.stringify(title)} ? done() : requestAnimationFrame(look);
    look();
    setTimeout(done, 20000);
  })`);
  same(what, await shownStep(page), title);
};
const follow = (page, link) => page.run(`(() => { const a = document.createElement('a'); a.href = ${JSON.stringify(link)}; document.body.append(a); a.click(); a.remove(); })()`);
/* A key as the page sees it, wherever the focus is. */
const key = async (page, name) => {
  const text = name.length === 1 ? name : undefined;
  await page.press(name, { ArrowLeft: 37, ArrowRight: 39, Home: 36, End: 35, Escape: 27, Enter: 13 }[name] ?? name.toUpperCase().charCodeAt(0), text);
};

/* The slider, keys, links and the way back; what is shown at each step; the search; the source; what is printed. */
async function withTime(page) {
  const { name, steps, hidden = {}, source, find, found } = expected.time;
  const last = Math.max(...Object.keys(steps).map(Number));
  const titled = n => n ? 'Step ' + n : 'Before the first step';
  const link = n => `#${name}/${n}`;
  for (const n of Object.keys(steps).map(Number)) {
    await follow(page, link(n));
    await comesTo(page, 'the step of a link', titled(n));
    const text = await page.run(`document.querySelector('.failure:not([hidden]) .at-step').innerText.replace(/\\s+/g, ' ')`);
    for (const part of steps[n]) if (!text.includes(part)) complain(`step ${n} does not show ${JSON.stringify(part)} but`, text);
    for (const part of hidden[n] || []) if (text.includes(part)) complain(`step ${n} shows ${JSON.stringify(part)}`);
  }
  await page.run('history.back()');
  await comesTo(page, 'the step on the way back', titled(Object.keys(steps).map(Number).at(-2)));
  await page.run(`document.activeElement.blur()`);
  await follow(page, link(last));
  await comesTo(page, 'the last step', titled(last));
  await key(page, 'ArrowLeft');
  await comesTo(page, 'the step after ←', titled(last - 1));
  await key(page, 'ArrowRight');
  await comesTo(page, 'the step after →', titled(last));
  await page.run(`document.querySelector('.scrubber input').focus()`);
  await key(page, 'Home');
  await comesTo(page, 'the step after Home', titled(0));
  await page.run(`(() => { const range = document.querySelector('.scrubber input'); range.value = '1'; range.dispatchEvent(new Event('input')); })()`);
  await comesTo(page, 'the step of the slider', titled(1));
  await page.run(`document.querySelector('.to-guilty').click()`);
  same('the step that fails', await shownStep(page), await page.run(`document.querySelector('.step.guilty .n').textContent`).then(n => titled(Number(n))));

  await key(page, '/');
  same('the focus after /', await page.run('document.activeElement.id'), 'find');
  await page.run(`(() => { const find = document.querySelector('#find'); find.value = ${JSON.stringify(find)}; find.dispatchEvent(new Event('input')); })()`);
  await key(page, 'Enter');
  await comesTo(page, 'the step that was found', titled(found));
  same('the hits after that', await page.run(`document.querySelector('.hits').hidden`), true);
  await page.run('document.activeElement.blur()');

  await key(page, 's');
  same('the contradicted line', await page.run(`document.querySelector('.source .stated code').textContent.trim()`), source);
  same('lines of the rule', await page.run(`document.querySelectorAll('.source .here').length > 0`), true);
  if (expected.time.cut) same('lines that are left out', await page.run(`document.querySelectorAll('.source .gap').length > 0 && document.querySelectorAll('.source li').length < 200`), true);
  await key(page, 's');
  same('the source', await page.run(`document.querySelector('.source').checkVisibility()`), false);
  await key(page, '?');
  same('the keys', await page.run(`document.querySelector('dialog').open`), true);
  if (axe) {
    await page.run(axe);
    const violations = await page.run(`axe.run('dialog').then(r => r.violations.map(v => v.id).join(' '))`);
    same('axe on the keys:', violations, '');
  }
  await page.run(`document.querySelector('dialog').close()`);

  await page.call('Page.printToPDF', {});
  await page.call('Emulation.setEmulatedMedia', { media: 'print', features: [{ name: 'prefers-color-scheme', value: 'dark' }] });
  same('the ink', await page.run('getComputedStyle(document.body).color'), 'rgb(28, 28, 26)');
  await page.run(`dispatchEvent(new Event('beforeprint'))`);
  const count = `[...document.querySelectorAll('.every-step > section')].filter(e => e.checkVisibility()).length`;
  same('steps on paper', await page.run(count), await page.run(`document.querySelectorAll('button.step').length`));
  same('on paper', await page.run(`[...document.querySelectorAll('.scrubber, .finder, .tabs, .copy, .help')].filter(e => e.checkVisibility()).map(e => e.className).join(' ')`), '');
  const paper = await page.run(`document.querySelector('.every-step').innerText.replace(/\\s+/g, ' ')`);
  if (!paper.includes(source)) complain('on paper is no', source);
  await page.run(`dispatchEvent(new Event('afterprint'))`);
  same('after printing', await page.run(`document.querySelectorAll('.every-step').length`), 0);
}

/* One failure at a time; j and k go through them. */
async function withIndex(page) {
  same('failures', (await page.run(`[...document.querySelectorAll('.failures a')].map(a => a.textContent)`)).join('\n'), expected.index.join('\n'));
  const shown = () => page.run(`[...document.querySelectorAll('.failure')].filter(e => !e.hidden).map(e => e.querySelector('h2').textContent).join(', ')`);
  same('the failure at first', await shown(), expected.index[0]);
  await key(page, 'j');
  same('the failure after j', await shown(), expected.index[1]);
  await key(page, 'k');
  same('the failure after k', await shown(), expected.index[0]);
  await page.run(`new Promise(done => { addEventListener('hashchange', () => done(), { once: true }); [...document.querySelectorAll('.failures a')].at(-1).click(); })`);
  same('the failure of a link', await shown(), expected.index.at(-1));
  same('the current entry', await page.run(`document.querySelector('.failures [aria-current=true]').textContent`), expected.index.at(-1));
}

/* Mutants of one verdict at a time, by Enter and by arrows; at first those that survived. */
async function withMutants(page) {
  const shown = () => page.run(`[...document.querySelectorAll('.mutant')].map(e => e.dataset.verdict).sort().join(' ')`);
  const all = Object.entries(expected.mutants).flatMap(([verdict, count]) => Array(count).fill(verdict));
  same('mutants at first', await shown(), all.filter(v => v === 'survived').join(' '));
  await page.run(`document.querySelector('.mutation button[data-verdict="killed"]').focus()`);
  await page.press('Enter', 13, '\r');
  same('mutants that are killed', await shown(), all.filter(v => v === 'killed').join(' '));
  for (let i = 0; i <= Object.keys(expected.mutants).length; i++) await page.press('ArrowRight', 39);
  same('all mutants', await shown(), all.sort().join(' '));
  same('pressed', await page.run(`document.querySelectorAll('.mutation [aria-pressed=true]').length`), 1);
}

async function check(browser) {
  const size = statSync(file).size;
  if (size >= 300000) complain(`${size} bytes`);
  const once = expected.once || (!expected.guilty && !process.env.EVERY_SIZE);
  for (const dark of [false, true]) {
    for (const at of sizes) {
      if (once && (dark || at[0] !== 390)) continue; // the one that axe looks at
      if (dark !== (at[0] === 1024) && !process.env.EVERY_SIZE) continue; // axe looks at the narrow one and at the dark one
      const page = await look(browser, at, dark);
      if (at[0] === 1440 && !dark) {
        if (expected.guilty) await inSight(page);
        await withKeys(page);
      }
      if (expected.time && !dark && at[0] === 1440) await withTime(page);
      if (expected.index) await withIndex(page);
      if (expected.mutants) await withMutants(page);
      if (expected.race && !dark) await withLanes(page, at[0]);
      await page.close();
    }
  }
}

const browser = await launch(chromium);
try {
  while (reports.length) {
    file = reports.shift();
    expected = JSON.parse(reports.shift());
    url = pathToFileURL(file).href;
    await check(browser);
  }
} finally {
  await browser.close();
}
process.exit(failed ? 1 : 0);
