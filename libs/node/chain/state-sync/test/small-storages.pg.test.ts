import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  MAX_RANGE_ENTRIES,
  MAX_REQUESTED_CONTENTS,
  MAX_REQUESTED_RANGES,
  type StatePort,
} from '@tetrad/node-peer';
import { silentLogger, systemClock, type Address } from '@tetrad/types';
import { testGenesis, type TestLedger } from '../../consensus-bft-chain/test/open-test-ledger.js';
import { TestLedgers } from '../../consensus-bft-chain/test/test-ledgers.js';
import { FakeNetwork } from '../../peer/test/fake-node.js';
import { exportState, importState } from '../src/index.js';
import { assertJoined } from './assert-joined.js';
import { A, B, C, D, append, startJoining, startPeer, statePortOf } from './joining-chain.js';

/** A hundred thousand in `./tetrad bench join`. */
const CONTRACTS = 2_000;

const ledgers = new TestLedgers();
const network = new FakeNetwork();
let chain: TestLedger;

const word = (value: number) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');

/** Contracts of one slot each, no two of which are equal: as many tries of one leaf. */
function genesisOfSmallStorages() {
  const genesis = testGenesis({ blockPeriodMs: 1_000, validatorKeys: [A, B, C, D] });
  const contracts = Array.from({ length: CONTRACTS }, (_, index) => ({
    address: `0xbb${index.toString(16).padStart(38, '0')}` as Address,
    balance: 0n,
    nonce: 1n,
    code: Buffer.of(0),
    storage: [{ slot: word(index), value: word(index + 1) }],
  }));
  return { ...genesis, alloc: [...genesis.alloc, ...contracts] };
}

const genesis = genesisOfSmallStorages();
beforeEach(async () => {
  await ledgers.begin();
  chain = await ledgers.open(ledgers.url, { genesis });
  for (let blocks = 0; blocks < 3; blocks++) await append(chain);
});
afterEach(async () => {
  await network.stop();
  await ledgers.end();
});

it('contracts of one slot each cost a node that joins as many questions as their entries fill, and no answer is larger', async () => {
  const honest = statePortOf(chain, { entries: MAX_RANGE_ENTRIES, nodes: MAX_RANGE_ENTRIES });
  const asked = { ranges: 0, contents: 0 };
  let largest = 0;
  const counted: Partial<StatePort> = {
    ranges: async (question) => {
      asked.ranges += 1;
      const ranges = await honest.ranges(question);
      largest = Math.max(
        largest,
        ranges.reduce((sum, range) => sum + (range?.entries.length ?? 0), 0),
      );
      return ranges;
    },
    contents: (question) => {
      asked.contents += 1;
      return honest.contents(question);
    },
  };
  const joining = await startJoining({ ledgers, network }, [await startPeer(network, chain, counted)], {
    genesis,
  });
  expect(await joining.run()).toBe(2);
  await assertJoined({ ledgers, chain }, joining.url, 2);
  expect(largest).toBeLessThanOrEqual(MAX_RANGE_ENTRIES);
  const parts = (of: number) => Math.ceil(CONTRACTS / of);
  // A range of accounts is taken with its storage before the next one, so each may leave one question that is not full.
  const accounts = parts(MAX_RANGE_ENTRIES) + 1;
  expect(asked.ranges).toBeLessThanOrEqual(accounts + parts(MAX_REQUESTED_RANGES) + accounts);
  // Addresses, slots, and the one code.
  expect(asked.contents).toBeLessThanOrEqual(
    parts(MAX_REQUESTED_CONTENTS) + accounts + parts(MAX_REQUESTED_RANGES) + accounts + 1,
  );
});

it('contracts of one slot each are taken from a file too, whose answers are in the order of one question after the other', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-small-storages-'));
  const path = join(folder, 'state');
  const port = statePortOf(chain, { entries: MAX_RANGE_ENTRIES, nodes: MAX_RANGE_ENTRIES });
  const more = { path, clock: systemClock, logger: silentLogger, signal: new AbortController().signal };
  try {
    expect(await exportState({ chain, store: chain.store, port, ...more })).toMatchObject({ block: 2 });
    const url = await ledgers.freshUrl();
    const joining = await ledgers.open(url, { genesis });
    const { store } = joining;
    expect(await importState({ chain: joining, store, checkpoint: undefined, ...more })).toBe(2);
    await ledgers.close(joining);
    await assertJoined({ ledgers, chain }, url, 2);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
