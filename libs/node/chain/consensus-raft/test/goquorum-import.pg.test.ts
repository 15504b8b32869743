import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findAccount } from '@tetrad/node-execution';
import { ZERO_ADDRESS, type Block } from '@tetrad/types';
import { openRaftLedger, type RaftLedger } from './open-raft-ledger.js';
import { recordedBlocks, recordedGenesis } from './recorded-chain.js';

const ETHER = 10n ** 18n;

describe('the raft chain of a GoQuorum, imported', () => {
  let chain: RaftLedger;
  let blocks: Block[];
  beforeAll(async () => {
    blocks = (await recordedBlocks()).map(({ block }) => block);
    chain = await openRaftLedger(recordedGenesis());
  });
  afterAll(async () => chain?.close());

  it('gives the state root, receipt root, bloom and gas of every header', async () => {
    const [zero, ...rest] = blocks;
    expect(chain.ledger.head().hash).toBe(zero?.hash);
    for (const block of rest) {
      // Fails where what execution gives is not what the header commits to.
      await chain.ledger.importBlock(block);
      expect(chain.ledger.head().hash).toBe(block.hash);
    }
  });

  it('has paid two ether of a block to the zero address, which is the beneficiary of all of them', async () => {
    const balanceAt = async (number: number) => {
      const block = await chain.ledger.findBlock(number);
      if (block === undefined) throw new Error(`no block ${number}`);
      return (await findAccount(await chain.ledger.worldAt(block), ZERO_ADDRESS))?.balance ?? 0n;
    };
    const last = blocks.length - 1;
    expect((await balanceAt(last)) - (await balanceAt(last - 10))).toBe(20n * ETHER);
  });

  it('passes the verification of a stored chain', async () => {
    expect(await chain.ledger.verifyFromGenesis()).toBe(blocks.length - 1);
  });
});
