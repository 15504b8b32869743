import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import Sequencer from '@jest/test-sequencer';

const ROOT = new URL('../../../', import.meta.url).pathname;
const recorded = JSON.parse(readFileSync(new URL('durations.json', import.meta.url), 'utf8'));

/** Seconds for a file that nobody has timed yet, by what its suffix says it starts. */
const GUESSES = [
  ['.scenario.test.ts', 30],
  ['.rpc.test.ts', 10],
  ['.pg.test.ts', 8],
  ['.prop.test.ts', 5],
];
const GUESS = 2;

/**
 * Starts the longest files first, so that no worker is left alone with a long one at the end. Jest by itself goes by the
 * times of its cache, which a clean checkout does not have, and then by the size of files: the longest tests, which
 * start processes, are among the smallest files.
 */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    return [...tests].sort((a, b) => seconds(b.path) - seconds(a.path));
  }
}

function seconds(path) {
  const known = recorded[relative(ROOT, path)];
  if (known !== undefined) return known;
  return GUESSES.find(([suffix]) => path.endsWith(suffix))?.[1] ?? GUESS;
}
