import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { FORK_NAMES, type ForkName } from '../../src/index.js';
import { precompiles } from '@tetrad/node-precompiles';
import { readStateTests, type StateTestCase } from './read-state-tests.js';
import { runStateTest } from './state-test.js';

const cases = [...readStateTests(join(import.meta.dirname, '../../vectors/state-tests.ndjson.gz'))];
const forks = [...new Set(cases.map(({ fork }) => fork))];

/** The expected outcome of a case in the form of ours. */
function expected({ name, post }: StateTestCase) {
  return { name, root: post.hash, logs: post.logs, refused: post.expectException !== undefined };
}

async function actual(item: StateTestCase, cold: boolean) {
  const { root, logs, invalid } = await runStateTest(item.test, { ...item, precompiles, cold });
  return { name: item.name, root, logs, refused: invalid !== undefined };
}

describe('published state tests', () => {
  it('are 3,000 cases of the forks from Frontier to Cancun', () => {
    expect(cases).toHaveLength(3_000);
    expect(new Set(forks)).toEqual(new Set(FORK_NAMES.slice(0, FORK_NAMES.indexOf('cancun') + 1)));
  });

  it.each(forks)(
    'have the state root, the logs and the rejections that we find: %s',
    async (fork: ForkName) => {
      for (const item of cases)
        if (item.fork === fork) expect(await actual(item, false)).toEqual(expected(item));
    },
  );

  it('have them too when every read is missing at first', async () => {
    for (const item of cases.filter((_item, n) => n % 5 === 0)) {
      expect(await actual(item, true)).toEqual(expected(item));
    }
  });
});
