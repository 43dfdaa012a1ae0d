// Tests of vitest: import { machines } from 'pgfsm/vitest'

import { beforeAll, describe, test } from 'vitest';
import properties from './properties.js';

export function machines(patterns, options = {}) {
  const timeout = options.timeout ?? 0; // none: pgfsm has a time limit of its own
  properties.register(patterns, options, {
    suite: describe,
    before: (run) => beforeAll(async () => { await run(); }, timeout),
    test: (name, run) => test(name, { timeout }, (context) => run((why) => context.skip(why))),
  });
}

export const machine = machines;
