import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeTransaction } from '@tetrad/node-execution';
import { ChainFile, importChainFiles } from '@tetrad/node-ledger';
import { createTestDatabase, until, type TestDatabase } from '@tetrad/testkit';
import type { PayloadSource } from '../src/index.js';
import { openFollowingNode, type FollowingNode } from './following-node.js';
import { CHAIN_ID, recordedManager, recording } from './recorded-chain.js';

const NOTHING: PayloadSource = { find: async () => ({ kind: 'unavailable', reason: 'no payloads yet' }) };

describe.each([
  ['private', 0],
  ['marker', 2],
  ['works', 1],
] as const)('the private chain “%s”, imported from its file, as node %i', (name, node) => {
  let database: TestDatabase;
  let running: FollowingNode;
  const { steps, blocks } = recording(name);
  const last = blocks.length - 1;
  beforeAll(async () => {
    database = await createTestDatabase('node');
    running = await openFollowingNode(database.url, name, NOTHING);
  });
  afterAll(async () => {
    await running?.close();
    await database?.drop();
  });

  it('has its public state without any payload', async () => {
    const { ledger } = running;
    await importChainFiles({
      ledger,
      confirmsByNext: false,
      onBlock: () => undefined,
      files: [await ChainFile.find(join(import.meta.dirname, '../vectors', `${name}.rlp.gz`))],
      hashHeader: (header) => ledger.rules.hashHeader(header),
      decodeAll: async (raws) => () => raws.map((raw) => decodeTransaction(raw, CHAIN_ID)),
    });
    const headers = await ledger.listHeaders(0, last);
    expect(headers.map(({ header }) => header.stateRoot)).toEqual(blocks.map(({ stateRoot }) => stateRoot));
    await until(() => running.follower.pause !== undefined);
    expect(running.follower.pause?.reason).toContain('no payloads yet');
  });

  it('has the recorded private root after every block once the payloads are there', async () => {
    await running.close();
    running = await openFollowingNode(database.url, name, recordedManager(steps, node));
    await until(() => running.follower.head >= last);
    const roots = await Promise.all(blocks.map(({ number }) => running.following.rootAt(number)));
    expect(roots).toEqual(blocks.map(({ privateRoots }) => privateRoots[node]));
  });
});
