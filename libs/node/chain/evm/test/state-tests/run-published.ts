import { precompiles } from '@tetrad/node-precompiles';
import { readSingleCodeTests, readStateTests, type StateTestCase } from './read-state-tests.js';
import { passesSingleCode } from './single-code-run.js';
import { leftOut, runStateTest } from './state-test.js';

/**
 * Runs a share of a published file, without Jest, which takes several times as long. `bench state-tests` runs it.
 *
 *   node run-published.js FILE.ndjson.gz SHARE SHARES
 *
 * Prints one line of JSON: `passed` (cases), `failed` (names), `left` (reason → cases that are not run).
 */
const [path, share, shares] = process.argv.slice(2) as [string, string, string];
const failed: string[] = [];
const left: Record<string, number> = {};
let passed = 0;
let at = 0;

/** Whether a case is of this share; cases are dealt out in turns. */
function isOwn(): boolean {
  return at++ % Number(shares) === Number(share);
}

function check(name: string, passes: boolean): void {
  if (passes) passed++;
  else failed.push(name);
}

async function passesStateTest(item: StateTestCase): Promise<boolean> {
  const { root, logs, invalid } = await runStateTest(item.test, { ...item, precompiles });
  const mustBeInvalid = item.post.expectException !== undefined;
  return root === item.post.hash && logs === item.post.logs && (invalid !== undefined) === mustBeInvalid;
}

for (const item of readStateTests(path)) {
  if (!isOwn()) continue;
  const reason = leftOut(item.file, item.test, item.post);
  if (reason !== undefined) left[reason] = (left[reason] ?? 0) + 1;
  else check(item.name, await passesStateTest(item));
}
for (const { name, test } of readSingleCodeTests(path)) {
  if (isOwn()) check(name, await passesSingleCode(test, precompiles));
}
process.stdout.write(`${JSON.stringify({ passed, failed, left })}\n`);
