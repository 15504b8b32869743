import { describe, expect, it } from '@jest/globals';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { precompiles } from '@tetrad/node-precompiles';
import { countOtherForms, readStateTests, type StateTestCase } from './read-state-tests.js';
import { RECORDED_COUNTS } from './recorded-counts.js';
import { LEFT_OUT, leftOut, runStateTest } from './state-test.js';

/** Folder with the published files, and where `bench state-tests` wants the counts. */
const FOLDER = process.env['TETRAD_STATE_TESTS'];
const REPORT = process.env['TETRAD_STATE_TESTS_REPORT'];

async function passes(item: StateTestCase): Promise<boolean> {
  const { root, logs, invalid } = await runStateTest(item.test, { ...item, precompiles });
  const isRefused = item.post.expectException !== undefined;
  return root === item.post.hash && logs === item.post.logs && (invalid !== undefined) === isRefused;
}

/** Runs all cases of a file; which failed, and how many were left out for which reason. */
async function runFile(path: string) {
  const failed: string[] = [];
  const left: Record<string, number> = {};
  let passed = 0;
  const otherForms = countOtherForms(path);
  if (otherForms > 0) left[LEFT_OUT.form] = otherForms;
  for (const item of readStateTests(path)) {
    const reason = leftOut(item.file, item.test, item.post);
    if (reason !== undefined) left[reason] = (left[reason] ?? 0) + 1;
    else if (await passes(item)) passed++;
    else failed.push(item.name);
  }
  return { passed, failed, left };
}

(FOLDER === undefined ? describe.skip : describe)('every published state test of a released fork', () => {
  const folder = FOLDER ?? '.';
  const files = readdirSync(folder).filter((name) => name.endsWith('.ndjson.gz'));
  const results: Record<string, Awaited<ReturnType<typeof runFile>> & { readonly seconds: number }> = {};

  it.each(files)(
    'passes: %s',
    async (file) => {
      const from = performance.now();
      const result = await runFile(join(folder, file));
      results[file] = { ...result, seconds: (performance.now() - from) / 1_000 };
      if (REPORT !== undefined) writeFileSync(REPORT, JSON.stringify(results, null, 2));
      expect(result.failed).toEqual([]);
      const { passed: run, left } = result;
      expect({ run, left }).toEqual(RECORDED_COUNTS[file] ?? { run, left });
    },
    7_200_000,
  );

  it('has every file that is recorded', () => {
    expect(files).toEqual(expect.arrayContaining(Object.keys(RECORDED_COUNTS)));
  });
});
