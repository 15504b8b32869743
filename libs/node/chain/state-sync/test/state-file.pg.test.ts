import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@tetrad/types';
import { testGenesis, transfer, type TestLedger } from '../../consensus-bft-chain/test/open-test-ledger.js';
import { TestLedgers, blocksOf } from '../../consensus-bft-chain/test/test-ledgers.js';
import { CollectedLog } from '../../peer/test/collected-log.js';
import { exportState, importState } from '../src/index.js';
import { A, STORE, append, largeGenesis, statePortOf } from './joining-chain.js';

const ledgers = new TestLedgers();
const genesis = largeGenesis();
let chain: TestLedger;
let folder = '';
let path = '';
let opened: TestLedger | undefined;

beforeAll(async () => {
  await ledgers.begin();
  chain = await ledgers.open(ledgers.url, { genesis });
  for (const nonce of [0, 1, 2]) {
    const data = Buffer.concat([Buffer.alloc(31), Buffer.of(nonce), Buffer.alloc(32, 9)]);
    await append(chain, [transfer(0, nonce, { to: STORE, data, gas: 100_000n, value: 0n })]);
  }
  await append(chain);
  folder = await mkdtemp(join(tmpdir(), 'tetrad-state-file-'));
  path = join(folder, 'state');
  const { block, bytes } = await exportTo(path);
  expect({ block, bytes }).toEqual({ block: 3, bytes: (await readFile(path)).length });
});
afterEach(async () => {
  if (opened !== undefined) await ledgers.close(opened);
  opened = undefined;
});
afterAll(async () => {
  await ledgers.end();
  await rm(folder, { recursive: true, force: true });
});

function exportTo(to: string, from = chain) {
  const { signal } = new AbortController();
  const port = statePortOf(from);
  const parts = { chain: from, store: from.store, port, path: to };
  return exportState({ ...parts, clock: systemClock, logger: new CollectedLog(), signal });
}

async function importFrom(file: string, url: string, own = genesis, signal = new AbortController().signal) {
  opened = await ledgers.open(url, { genesis: own });
  try {
    const { store } = opened;
    const parts = { chain: opened, store, path: file, checkpoint: undefined };
    return await importState({ ...parts, clock: systemClock, logger: new CollectedLog(), signal });
  } finally {
    await ledgers.close(opened);
    opened = undefined;
  }
}

const rowsOf = async ({ database }: TestLedger, table: string) =>
  (await database.pool.query(`SELECT * FROM ${table} ORDER BY 1`)).rows;

/** The state is that of the chain, which is executed further on top of it. */
async function assertJoined(url: string): Promise<void> {
  opened = await ledgers.open(url, { genesis });
  expect(opened.ledger.head().header.number).toBe(3);
  for (const block of (await blocksOf(chain)).slice(3)) await opened.ledger.importBlock(block);
  expect(opened.ledger.head().hash).toBe(chain.ledger.head().hash);
  for (const table of ['flat_state', 'code', 'preimage'])
    expect(await rowsOf(opened, table)).toEqual(await rowsOf(chain, table));
}

describe('a file of a state', () => {
  it('gives the state of the block before the newest one', async () => {
    const url = await ledgers.freshUrl();
    expect(await importFrom(path, url)).toBe(3);
    await assertJoined(url);
  });

  it('is gone on with after the import was ended, wherever that was', async () => {
    const url = await ledgers.freshUrl();
    let joined: number | undefined;
    let runs = 0;
    // Each number of writes is another place: also between the accounts of the last range but one and those of the last.
    for (let writes = 1; joined === undefined; writes += 1, runs += 1) {
      const killed = new AbortController();
      opened = await ledgers.open(url, { genesis, wrapStore: endingAfter(writes, killed) });
      const parts = { chain: opened, store: opened.store, path, checkpoint: undefined };
      joined = await importState({
        ...parts,
        clock: systemClock,
        logger: new CollectedLog(),
        signal: killed.signal,
      }).catch((error: unknown) => {
        expect(error).toEqual(new Error('killed'));
        return undefined;
      });
      await ledgers.close(opened);
      opened = undefined;
    }
    expect(runs).toBeGreaterThan(2);
    await assertJoined(url);
  });

  it('is refused when it is damaged, cut off, or none', async () => {
    const whole = await readFile(path);
    const file = join(folder, 'damaged');
    const flipped = (at: number) => whole.map((byte, index) => (index === at ? byte ^ 1 : byte));
    const large = Buffer.concat([whole.subarray(0, 16), Buffer.from('7fffffff', 'hex')]);
    const damaged: [Uint8Array, RegExp][] = [
      [Buffer.from('not one'), /no file of a state/],
      [whole.subarray(0, 40), /the file ends at byte/],
      [whole.subarray(0, whole.length - 2_000), /the file (ends at byte|lacks a)/],
      [whole.subarray(0, whole.length >> 1), /the file ends at byte/],
      [large, /larger than 16777216 bytes/],
      [flipped(30), /of the chain with genesis/],
      // In headers, and in the state.
      [flipped(whole.length >> 6), /the file /],
      [flipped(whole.length >> 1), /the file /],
      [flipped(whole.length - 5_000), /the file /],
    ];
    for (const [bytes, reason] of damaged) {
      await writeFile(file, bytes);
      await expect(importFrom(file, await ledgers.freshUrl())).rejects.toThrow(reason);
    }
  });

  it('is refused for another chain, and of a chain without a past', async () => {
    const other = testGenesis({ blockPeriodMs: 1000, validatorKeys: [A] });
    await expect(importFrom(path, await ledgers.freshUrl(), other)).rejects.toThrow(
      'of the chain with genesis',
    );
    const fresh = await ledgers.open(await ledgers.freshUrl(), { genesis });
    await expect(exportTo(join(folder, 'none'), fresh)).rejects.toThrow('no past to leave out');
    await ledgers.close(fresh);
  });
});

/** A store that ends the import after so many writes of parts of the state. */
function endingAfter(writes: number, killed: AbortController) {
  return (store: TestLedger['store']): TestLedger['store'] => {
    let left = writes;
    const { stateSync } = store;
    const put: typeof stateSync.put = async (part, ...cursor) => {
      await stateSync.put(part, ...cursor);
      if ((left -= 1) === 0) killed.abort(new Error('killed'));
    };
    const counted = Object.assign(Object.create(stateSync) as typeof stateSync, { put });
    return { ...store, stateSync: counted };
  };
}
