import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import Sequencer from '@jest/test-sequencer';

const ROOT = new URL('../../../', import.meta.url).pathname;
const recorded = JSON.parse(readFileSync(new URL('durations.json', import.meta.url), 'utf8'));

/** Seconds for a file without a recorded time, by the processes that its suffix implies. */
const GUESSES = [
  ['.scenario.test.ts', 30],
  ['.rpc.test.ts', 10],
  ['.pg.test.ts', 8],
  ['.prop.test.ts', 5],
];
const GUESS = 2;
/** Seconds of a file that keeps the other workers waiting when it is started last. */
const LONG = 40;
/** In a run that may end before its last file, the cheapest files are first. */
const DEAREST_LAST = ['.pg.test.ts', '.rpc.test.ts', '.scenario.test.ts'];

/**
 * Starts the longest files first, so that no worker is left alone with a long one at the end. Jest by itself goes by the
 * times of its cache, which a clean checkout does not have, and then by the size of files: the longest tests, which
 * start processes, are among the smallest files.
 */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    if (process.env.TETRAD_TEST_DEADLINE) return drawnByRevision(tests);
    return byDuration(tests);
  }

  /** With `--shard=I/N`: the I-th of N parts that take about the same time. Every host deals the same parts. */
  shard(tests, { shardIndex, shardCount }) {
    const parts = Array.from({ length: shardCount }, () => ({ seconds: 0, tests: [] }));
    for (const test of byDuration(tests)) {
      const part = parts.reduce((least, other) => (other.seconds < least.seconds ? other : least));
      part.tests.push(test);
      part.seconds += seconds(test.path);
    }
    return parts[shardIndex - 1].tests;
  }
}

/** Equal ones by path, so that the order does not depend on the host's folders. */
function byDuration(tests) {
  return [...tests].sort((a, b) => seconds(b.path) - seconds(a.path) || (a.path < b.path ? -1 : 1));
}

/**
 * Units, then tests with a database, over HTTP and of several processes; of each kind the long ones first. Otherwise those of one
 * kind are in an order that each revision shuffles: files that one run does not reach may be reached by the next.
 */
function drawnByRevision(tests) {
  const revision = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
  const drawn = ({ path }) =>
    createHash('sha256').update(revision).update(relative(ROOT, path)).digest('hex');
  // A test that is not next to its source starts more than itself, whatever its name.
  const least = ({ path }) => (path.includes('/src/') ? -1 : 0);
  const kind = (test) =>
    Math.max(
      least(test),
      DEAREST_LAST.findIndex((suffix) => test.path.endsWith(suffix)),
    );
  return tests
    .map((test) => ({ test, kind: kind(test), isShort: seconds(test.path) < LONG, drawn: drawn(test) }))
    .sort((a, b) => a.kind - b.kind || a.isShort - b.isShort || (a.drawn < b.drawn ? -1 : 1))
    .map(({ test }) => test);
}

function seconds(path) {
  const known = recorded[relative(ROOT, path)];
  if (known !== undefined) return known;
  return GUESSES.find(([suffix]) => path.endsWith(suffix))?.[1] ?? GUESS;
}
