'use strict';

// Tests of Node's own runner: import { machines } from 'pgfsm/node-test'

const { before, describe, test } = require('node:test');
const { register } = require('./properties.js');

function machines(patterns, options = {}) {
  const timeout = options.timeout || Infinity;
  register(patterns, options, {
    suite: describe,
    before: (run) => before(run, { timeout }),
    test: (name, run) => test(name, { timeout }, (context) => run((why) => context.skip(why))),
  });
}

module.exports = { machine: machines, machines };
