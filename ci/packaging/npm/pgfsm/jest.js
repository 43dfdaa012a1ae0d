'use strict';

// Tests of Jest: import { machines } from 'pgfsm/jest'

const { register } = require('./properties.js');

const LONGEST = 2 ** 31 - 1;

function machines(patterns, options = {}) {
  const { beforeAll, describe, test } = globalThis;
  const timeout = options.timeout || LONGEST;
  register(patterns, options, {
    suite: describe,
    before: (run) => beforeAll(async () => { await run(); }, timeout),
    // Jest can't skip a test that has begun.
    test: (name, run) => test(name, () => run((why) => console.warn(`${name} tells nothing: ${why}`)), timeout),
  });
}

module.exports = { machine: machines, machines };
