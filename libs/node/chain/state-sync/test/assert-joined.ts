import { expect } from '@jest/globals';
import { flatEntries, readCode, type WorldState } from '@tetrad/node-execution';
import { addressFromBytes, hexFromBytes } from '@tetrad/types';
import { transfer, type TestLedger } from '../../consensus-bft-chain/test/open-test-ledger.js';
import { blocksOf, type TestLedgers } from '../../consensus-bft-chain/test/test-ledgers.js';
import { STORE, append } from './joining-chain.js';

/** Appends blocks after which the state is not that of block 0. */
export async function growChain(chain: TestLedger): Promise<void> {
  for (const nonce of [0, 1, 2]) {
    const data = Buffer.concat([Buffer.alloc(31), Buffer.of(nonce), Buffer.alloc(32, 9)]);
    await append(chain, [
      transfer(0, nonce, { to: STORE, data, gas: 100_000n, value: 0n }),
      transfer(1, nonce),
    ]);
  }
  for (let blocks = 0; blocks < 3; blocks++) await append(chain);
}

/** All entries of a state, read from its tries, as text. */
async function entriesOf(world: WorldState): Promise<string[]> {
  const entries: string[] = [];
  for await (const { key, value } of flatEntries(world)) {
    entries.push(`${hexFromBytes(key)} ${hexFromBytes(value)}`);
    if (key.length === 20) await readCode(world, addressFromBytes(key));
  }
  return entries.sort();
}

/** Opens what was joined, and shows that it is the chain at the block, on which the next blocks are executed. */
export async function assertJoined(
  { ledgers, chain }: { readonly ledgers: TestLedgers; readonly chain: TestLedger },
  url: string,
  number: number,
): Promise<void> {
  const joined = await ledgers.open(url, { genesis: chain.ledger.genesis });
  const head = joined.ledger.head();
  expect(head.header.number).toBe(number);
  expect(joined.ledger.snapshot()).toEqual(await chain.ledger.snapshotAt(number));
  const expected = await entriesOf(await chain.ledger.worldAt(head));
  expect(await entriesOf(await joined.ledger.worldAt(head))).toEqual(expected);
  const { rows } = await joined.database.pool.query<{ key: Buffer; value: Buffer }>(
    'SELECT key, value FROM flat_state',
  );
  expect(rows.map(({ key, value }) => `${hexFromBytes(key)} ${hexFromBytes(value)}`).sort()).toEqual(
    expected,
  );
  expect((await joined.store.stateSync.find())?.parts ?? []).toEqual([]);
  for (const block of (await blocksOf(chain)).slice(number)) await joined.ledger.importBlock(block);
  expect(joined.ledger.head().hash).toBe(chain.ledger.head().hash);
  await ledgers.close(joined);
}
