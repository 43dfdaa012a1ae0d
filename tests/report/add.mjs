// add.mjs FILE TABLES NEW: the HTML report FILE as NEW, with what TABLES, as JSON, adds to the first failure: {"tables": {a step: its
// tables}, "answers": {a step: its answer}, "source": {…}}.
import { readFileSync, writeFileSync } from 'node:fs';

const [file, added, made] = process.argv.slice(2);
const { tables, answers, source } = JSON.parse(readFileSync(added, 'utf8'));
const page = readFileSync(file, 'utf8').replace(/(<script type="application\/json">)(.*?)(?=<\/script>)/s, (_, tag, text) => {
  const data = JSON.parse(text);
  const failure = data.failures[0];
  for (const step of failure.account.steps) {
    if (step.n === 0 && !step.start) continue;
    Object.assign(step, tables[step.n] && { tables: tables[step.n] }, answers[step.n] && { answer: answers[step.n] });
  }
  failure.source = source;
  return tag + JSON.stringify(data).replaceAll('<', '\\u003c');
});
writeFileSync(made, page);
