#!/usr/bin/env node
'use strict';

// Runs the program with the words of the command line, in place of this process where Node can.

const { spawn } = require('child_process');
const { program, environment, explain } = require('./program.js');

// How the user calls it, for the commands that a report shows.
function calledAs() {
  const manager = (process.env.npm_config_user_agent || '').split('/')[0];
  return ['pnpm', 'yarn', 'bun'].includes(manager) ? `${manager} pgfsm` : 'npx pgfsm';
}

function start(path, words) {
  const env = environment();
  if (process.execve) {
    process.execve(path, [calledAs(), ...words], env);
  }
  const child = spawn(path, words, { argv0: calledAs(), env, stdio: 'inherit' });
  // A terminal sends Ctrl-C to both; the program decides what it means.
  for (const signal of ['SIGINT', 'SIGQUIT']) {
    process.on(signal, () => {});
  }
  for (const signal of ['SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('error', (error) => {
    console.error(`pgfsm: error: could not run ${path}: ${error.message}`);
    process.exit(2);
  });
  child.on('exit', (status, signal) => {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else {
      process.exitCode = status;
    }
  });
}

const words = process.argv.slice(2);
const path = program();
if (path) {
  start(path, words);
} else {
  process.stderr.write(explain(words));
  process.exitCode = 2;
}
