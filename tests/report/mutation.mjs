// mutation.mjs CHROMIUM ELEMENTS REPORT PATH: opens a report of mutants in the viewer that the folder of
// mutation-testing-elements holds, and the file PATH in it; complains where it does not show all of its mutants.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch } from './browser.mjs';

const [chromium, elements, file, path] = process.argv.slice(2);
const text = readFileSync(file, 'utf8');
const report = JSON.parse(text);
const folder = mkdtempSync(join(tmpdir(), 'pgfsm-mutation.'));
const page = join(folder, 'index.html');
writeFileSync(page, `<!doctype html><meta charset="utf-8"><mutation-test-report-app></mutation-test-report-app>
<script src="${pathToFileURL(join(elements, 'dist/mutation-test-elements.js'))}"></script>
<script>document.querySelector('mutation-test-report-app').report = ${text}</script>`);
let failed = false;
const complain = (...words) => { console.log('FAILED:', ...words); failed = true; };

const browser = await launch(chromium);
try {
  const shown = await browser.open(pathToFileURL(page).href, { width: 1200, height: 900 });
  // What stands in shadow trees, too; the viewer draws when it likes.
  const wait = (what, expression) => shown.run(`new Promise(done => {
    const all = (root) => [...root.querySelectorAll('*')].flatMap(e => [e, ...(e.shadowRoot ? all(e.shadowRoot) : [])]);
    const look = () => { if (${expression}) done(true); else requestAnimationFrame(look); };
    look();
    setTimeout(() => done(false), 20000);
  })`).then(good => good || complain(what));
  await wait('the viewer does not list the files', `all(document).some(e => e.tagName === 'A' && decodeURI(e.href).includes(${JSON.stringify(path)}))`);
  await shown.run(`location.hash = 'mutant/' + ${JSON.stringify(path)}; 0`);
  const count = report.files[path].mutants.length;
  await wait(`the viewer does not show ${count} mutants of ${path}`,
    `new Set(all(document).map(e => e.dataset?.mutantId).filter(Boolean)).size >= ${count}`);
  if (shown.complaints.length) complain('the viewer complains:', shown.complaints.join('; '));
  await shown.close();
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
process.exit(failed ? 1 : 0);
