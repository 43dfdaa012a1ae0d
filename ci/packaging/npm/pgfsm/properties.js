'use strict';

// What the modules for test runners share: the properties of machines, and a run of pgfsm for each machine. A runner's
// module (vitest.mjs, jest.js, node-test.js) registers them as its tests.

const { spawn, spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');
const { program, environment } = require('./program.js');

// Options that are not those of `pgfsm run`.
const OWN = ['program', 'cwd', 'timeout', 'page'];

const notInstalled = `pgfsm is not installed here: npm install --save-dev pgfsm
  on macOS and Windows, run the tests in a container; or name a program in the option \`program\``;

// The package for this platform, or a program on the PATH.
function command(options) {
  return options.program || program() || 'pgfsm';
}

// How reports name it, in lines to paste into a shell.
function calledAs(options) {
  return options.program || (program() ? 'npx pgfsm' : 'pgfsm');
}

// {examples: 200, noSave: true, rule: ['a*', 'b']}: --examples=200 --no-save --rule=a* --rule=b
function words(options) {
  const list = [];
  for (const [key, value] of Object.entries(options)) {
    const name = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    for (const one of OWN.includes(key) ? [] : [value].flat()) {
      if (one === true) {
        list.push(name);
      } else if (one !== false && one !== undefined && one !== null) {
        list.push(`${name}=${one}`);
      }
    }
  }
  return list;
}

// "machines/**/*.yaml": `*` and `?` stand for characters of a name, `**/` for any folders.
function toRegExp(pattern) {
  const source = pattern.replace(/\*\*\/|[*?]|[.+^${}()|[\]\\]/g, (text) => {
    const meanings = { '**/': '(?:.*/)?', '*': '[^/]*', '?': '[^/]' };
    return meanings[text] || `\\${text}`;
  });
  return new RegExp(`^${source}$`);
}

function* filesBelow(folder, base) {
  for (const entry of fs.readdirSync(path.join(base, folder), { withFileTypes: true })) {
    const name = folder ? `${folder}/${entry.name}` : entry.name;
    if (!entry.isDirectory()) {
      yield name;
    } else if (entry.name !== 'node_modules' && !entry.name.startsWith('.')) {
      yield* filesBelow(name, base);
    }
  }
}

// The files of a pattern, by name; a name without `*` and `?` stands for itself.
function expand(pattern, base) {
  const wild = pattern.search(/[*?]/);
  if (wild < 0) {
    return [pattern];
  }
  const top = pattern.slice(0, pattern.lastIndexOf('/', wild) + 1);
  const folder = path.resolve(base, top);
  const wanted = toRegExp(pattern.slice(top.length));
  const found = fs.existsSync(folder) ? [...filesBelow('', folder)].filter((name) => wanted.test(name)) : [];
  if (!found.length) {
    throw new Error(`no file matches ${pattern} in ${base}`);
  }
  return found.sort().map((name) => top + name);
}

function lines(text) {
  return text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
}

function place(at, options) {
  const file = path.resolve(options.cwd || '.', at.file);
  return at.line ? `${file}:${at.line}:${at.column}` : `${file}:1:1`;
}

// An error whose stack leads into the machine's file.
function errorAt(text, title, at, options) {
  const error = new Error(text.trimEnd());
  error.stack = `Error: ${error.message}\n    at ${title} (${place(at, options)})`;
  return error;
}

function titleOf(property) {
  return property.name ? `${property.kind} ${property.name}` : property.kind;
}

// What `pgfsm list` says of the machines in the files; those with mistakes have `errors`.
function list(patterns, options) {
  const base = path.resolve(options.cwd || '.');
  const files = [patterns].flat().flatMap((pattern) => expand(pattern, base));
  const listed = spawnSync(command(options), ['list', '--format', 'json', ...files], {
    cwd: base, env: environment(), encoding: 'utf8', maxBuffer: 1 << 28,
  });
  if (listed.error) {
    throw new Error(listed.error.code === 'ENOENT' ? notInstalled : listed.error.message);
  }
  const machines = lines(listed.stdout);
  if (!machines.length) {
    throw new Error(listed.stderr.trim() || `pgfsm list ended with ${listed.status || listed.signal}`);
  }
  return machines.map((machine) => ({ ...machine, title: machine.machine || machine.path }));
}

// Runs a machine once. pgfsm ends in good order if this process does, however it ends: its standard input then closes.
function start(machine, options) {
  const base = path.resolve(options.cwd || '.');
  const page = options.page === undefined ? path.join('.pgfsm', `${path.parse(machine.path).name}.html`) : options.page;
  const reports = ['--report=json'];
  if (page) {
    fs.mkdirSync(path.dirname(path.resolve(base, page)), { recursive: true });
    reports.push(`--report=html=${page}`);
  }
  return new Promise((resolve, reject) => {
    const child = spawn(command(options), ['run', machine.path, '--until-eof', ...words(options), ...reports], {
      argv0: calledAs(options), cwd: base, env: { ...environment(), COLUMNS: process.env.COLUMNS || '100' },
    });
    const out = [];
    const err = [];
    child.stdout.on('data', (data) => out.push(data));
    child.stderr.on('data', (data) => err.push(data));
    child.stdin.on('error', () => {});
    child.on('error', reject);
    // A worker whose runner was killed lives on.
    const stop = () => child.stdin.end();
    process.once('disconnect', stop);
    child.on('close', (status, signal) => {
      process.off('disconnect', stop);
      const said = Buffer.concat(err).toString().trim();
      const ran = { status: signal || status, said, cases: new Map(), end: null };
      let last = null;
      for (const event of lines(Buffer.concat(out).toString())) {
        if (event.type === 'case') {
          last = { ...event, failures: [] };
          ran.cases.set(titleOf(event), last);
        } else if (event.type === 'failure') {
          last.failures.push(event);
        } else if (event.type === 'machine') {
          ran.end = event;
        }
      }
      resolve(ran);
    });
  });
}

// Throws what went wrong with the machine as a whole, or with something that is no property of the list.
function checkWhole(machine, ran, options) {
  const known = new Set(machine.properties.map(titleOf));
  const whole = ran.cases.get('machine');
  if (whole && whole.outcome === 'error') {
    throw errorAt(whole.text || whole.message, machine.title, whole, options);
  }
  if (!ran.end) {
    throw new Error(ran.said || `pgfsm ended with ${ran.status}`);
  }
  for (const [title, one] of ran.cases) {
    if (!known.has(title) && one.outcome === 'failed') {
      throw failureOf(title, one, options);
    }
  }
  if (ran.end.cut_short && ran.status === 130) {
    throw new Error('the run was interrupted');
  }
}

function failureOf(title, one, options) {
  const texts = one.failures.map((failure) => failure.text);
  return errorAt(texts.join('\n') || one.text || one.message, title, one, options);
}

// Runs the machine when somebody first asks for it.
function lazily(machine, options) {
  let running;
  return async () => {
    running = running || start(machine, options).then((ran) => {
      checkWhole(machine, ran, options);
      return ran;
    });
    return running;
  };
}

// Throws if the property does not hold. Returns why it tells nothing: it was never tried, or is a known failure; null
// if it held.
function verdict(property, ran, options) {
  const title = titleOf(property);
  const one = ran.cases.get(title);
  if (!one) {
    return 'the run says nothing of it';
  }
  if (one.outcome === 'failed' || one.outcome === 'error') {
    throw failureOf(title, one, options);
  }
  return one.outcome === 'passed' ? null : one.message || one.outcome;
}

// Registers tests by the runner's functions:
//   suite(name, body), before(run), test(name, run(skip)); `skip` takes a reason.
function register(patterns, options, runner) {
  for (const machine of list(patterns, options)) {
    runner.suite(machine.title, () => {
      if (machine.errors) {
        const [first] = machine.errors;
        const text = machine.errors.map((error) => error.text).join('');
        runner.test('can be read', () => {
          throw errorAt(text, machine.path, first, options);
        });
        return;
      }
      const run = lazily(machine, options);
      runner.before(run);
      for (const property of machine.properties) {
        runner.test(titleOf(property), async (skip) => {
          const why = verdict(property, await run(), options);
          if (why !== null) {
            skip(why);
          }
        });
      }
    });
  }
}

module.exports = { register };
