import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Ledger } from '@tetrad/node-ledger';
import { seededRandom, testSeed } from '@tetrad/testkit';
import { importDamaged } from '../../ledger/test/damaged-chain.js';
import { openRaftLedger, type RaftLedger } from './open-raft-ledger.js';
import { recordedBlocks, recordedGenesis } from './recorded-chain.js';

let chain: RaftLedger;
beforeAll(async () => {
  chain = await openRaftLedger(recordedGenesis());
});
afterAll(() => chain?.close());

/**
 * A seal names its own key, so that a changed header has a valid seal of another key. That it is not what was minted
 * shows in the block after it; the last block has none.
 */
it('a file of the raft chain of a GoQuorum with a changed byte is refused, up to the block before the last', async () => {
  const blocks = (await recordedBlocks()).slice(0, 40);
  const damaged = blocks.slice(0, -1);
  const refusals = await importDamaged(chain.ledger as Ledger, {
    blocks: damaged,
    confirmsByNext: true,
    random: seededRandom(testSeed()),
    flipsPerBlock: 4,
    last: blocks.at(-1),
  });
  expect(refusals).toHaveLength(4 * damaged.length);
  expect(await chain.ledger.verifyFromGenesis()).toBe(damaged.length - 1);
});
