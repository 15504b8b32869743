import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { filesBelow } from './files-below.js';

const root = join(import.meta.dirname, '../..');
const PAGE = 'docs/explanation/permission-checks.md';
const RULES = 'libs/node/permissions/permissioning/src/';

/** A call of a rule, or of what passes the question on. */
const CALL =
  /(?<!get )\b(?:mayTransact|mayEnterPool|isAllowed|submissionBarrier|isPermitted|innerPermission|isAdmin|isForbiddenMember|assertPermitted|assertMaySubmit)(?:\?\.)?\(/;
/** Not about permissions: which errors of etcd a caller expects. */
const LEFT_OUT = ['libs/node/chain/etcd/src/etcd-client.ts'];

describe('the page of permission checks', () => {
  const linked = [...readFileSync(join(root, PAGE), 'utf8').matchAll(/\]\(([^)#]+)\)/g)].map(
    ([, target = '']) => relative(root, join(root, dirname(PAGE), target)),
  );
  const asking = ['libs/node', 'apps/node/src']
    .flatMap((folder) => filesBelow(join(root, folder), '.ts'))
    .filter((file) => /\/src\/(?!.*\.test\.ts$)/.test(file))
    .filter((file) => CALL.test(readFileSync(file, 'utf8')))
    .map((file) => relative(root, file))
    .filter((file) => !LEFT_OUT.includes(file) && !file.startsWith(RULES));

  it('names every file that asks a rule', () => {
    expect(asking).toContain('libs/node/chain/ledger/src/block-execution.ts');
    expect(asking.filter((file) => !linked.includes(file))).toEqual([]);
  });

  it('names no file of the node that asks none', () => {
    const sources = linked.filter((file) => /^(?:libs|apps)\/.*\/src\/.*\.ts$/.test(file));
    expect(sources.filter((file) => !file.startsWith(RULES) && !asking.includes(file))).toEqual([]);
  });
});
