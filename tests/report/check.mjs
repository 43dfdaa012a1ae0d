// check.mjs CHROMIUM AXE {FILE EXPECTED}...: opens HTML reports as their readers do, and complains of what is wrong. AXE
// is the script of axe-core; empty: none. EXPECTED is JSON: {"verdict": text of the heading, "texts": […], "guilty": whether there is a failure with its steps,
// "once": whether one size will do, "mutants": how many have which verdict, "race": {"lines": what sessions do, "orders": what contradicts them}}.
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
  if (axe && (width < 500) !== dark) {
    await page.run(axe);
    const violations = await page.run(`axe.run(document, {resultTypes: ['violations']}).then(r =>
      r.violations.map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 120)).join(' | ')))`);
    for (const violation of violations) complain(name, 'axe:', violation);
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
  const narrow = await page.run(`Math.min(...[...document.querySelectorAll('.lanes .at')].map(e => e.getBoundingClientRect().width))`);
  if (narrow < 160) complain(`${width}: a line is ${narrow} wide`);
}

/* Tab comes to all that can be pressed or scrolled; Enter and arrows choose a step. */
async function withKeys(page) {
  const things = `[...document.querySelectorAll('a[href], button, summary, [tabindex="0"]')].filter(e => e.checkVisibility({ contentVisibilityAuto: true }))`;
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
  await page.run(`document.querySelector('.copy').focus()`);
  await page.press('Enter', 13, '\r');
  const word = await page.run(`new Promise(done => {
    const said = document.querySelector('#said');
    if (said.textContent) done(said.textContent);
    new MutationObserver(() => done(said.textContent)).observe(said, { childList: true });
    setTimeout(done, 20000, 'nothing');
  })`);
  same('the word on copying', word.split(' ')[0], 'Copied');
  same('pressed', await page.run(`document.querySelectorAll('.failure')[0].querySelectorAll('[aria-pressed=true]').length`), 1);
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
  for (const dark of [false, true]) {
    for (const at of sizes) {
      if (expected.once && (dark || at[0] !== 390)) continue; // the one that axe looks at
      if (dark && at[0] !== 1024 && !process.env.EVERY_SIZE) continue;
      const page = await look(browser, at, dark);
      if (at[0] === 1440 && !dark) {
        if (expected.guilty) await inSight(page);
        await withKeys(page);
      }
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
