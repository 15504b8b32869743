import { expect } from '@jest/globals';
import { decodeQbftExtraData } from '@tetrad/node-consensus-bft';
import { ZERO_ADDRESS, bytesFromHex, type Address } from '@tetrad/types';
import {
  orderProposers,
  proposerOf,
  type ProposerPolicy,
} from '../../../libs/node/chain/consensus-bft/src/proposer-selection.js';
import type { RunningNode } from './running-node.js';
import { VALIDATORS } from './validator-chain.js';
import { heightOf, type BlockView } from './validator-network.js';

/**
 * Expects of every block of a QBFT chain that it is by whose turn it was in its round, or in an earlier one: a block
 * that was prepared before keeps its author.
 */
export async function expectTurns(node: RunningNode, policy: ProposerPolicy): Promise<void> {
  const ordered = orderProposers(VALIDATORS, 'qbft');
  let lastAuthor: Address = ZERO_ADDRESS;
  const head = await heightOf(node);
  for (let number = 1; number <= head; number++) {
    const params = [`0x${number.toString(16)}`, false];
    const { extraData, miner } = await node.result<BlockView>('eth_getBlockByNumber', params);
    const { round } = decodeQbftExtraData(bytesFromHex(extraData));
    const turns = Array.from({ length: round + 1 }, (_, earlier) =>
      proposerOf(ordered, { lastAuthor, round: earlier, policy }),
    );
    expect({ number, turns }).toEqual({ number, turns: expect.arrayContaining([miner]) });
    lastAuthor = miner;
  }
}
