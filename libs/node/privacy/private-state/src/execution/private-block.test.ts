import { describe, expect, it } from '@jest/globals';
import { decodeTransaction, isPrivateTransaction } from '@tetrad/node-execution';
import { parseAddress, parsePtmKey, type SignedTransaction } from '@tetrad/types';
import { privateTransaction } from '../../test/node-transactions.js';
import { CHAIN_ID } from '../../test/recorded-chain.js';
import type { PayloadAnswer } from '../payload/payload-source.js';
import { executePrivateBlock, type PrivateBlockParts } from './private-block.js';

const TO = parseAddress(`0x${'11'.repeat(20)}`);
const KEY = parsePtmKey('BULeR8JyUWhiuuCMU/HLA0Q5pzkYT+cHII3ZKBey3Bo=');

const PARTY: PayloadAnswer = {
  kind: 'payload',
  payload: {
    data: new Uint8Array(4),
    privacyFlag: 0,
    affectedCreations: new Set(),
    sender: KEY,
    managedParties: [KEY],
  },
};
const NO_PARTY: PayloadAnswer = { kind: 'notParty' };

/** A block of private transactions, about which the manager gives these answers; before the last it is seen what was executed. */
function blockOf(answers: readonly PayloadAnswer[]) {
  const transactions = answers.map((_, index) =>
    decodeTransaction(
      privateTransaction(BigInt(index), new Uint8Array(64).fill(index + 1), { to: TO }),
      CHAIN_ID,
    ),
  );
  const asked = answers.values();
  const executed: SignedTransaction[] = [];
  const reached = new Error('the public part was executed');
  const parts = {
    hasMarkers: false,
    payloads: { find: async () => asked.next().value as PayloadAnswer },
    executePublicly: async (transaction: SignedTransaction) => {
      executed.push(transaction);
      // The worlds are left out: what is executed on them is in the tests of recorded chains.
      if (executed.length === answers.length - 1) throw reached;
    },
  } as unknown as PrivateBlockParts;
  return {
    transactions,
    executed,
    reached,
    run: () => executePrivateBlock(parts, transactions, isPrivateTransaction),
  };
}

describe('the public transactions of a block', () => {
  it('are not executed again at a node that is a party to none of its private ones', async () => {
    const { executed, run } = blockOf([NO_PARTY, NO_PARTY, NO_PARTY]);
    expect(await run()).toEqual({ kind: 'executed', results: [] });
    expect(executed).toEqual([]);
  });

  it('are all executed up to the first that the node is a party to, before that one', async () => {
    const { transactions, executed, reached, run } = blockOf([NO_PARTY, NO_PARTY, PARTY]);
    await expect(run()).rejects.toBe(reached);
    expect(executed).toEqual(transactions.slice(0, 2));
  });

  it('are not executed while the manager cannot say whether the node is a party', async () => {
    const unavailable = { kind: 'unavailable', reason: 'away' } as const;
    const { executed, run } = blockOf([NO_PARTY, unavailable]);
    expect(await run()).toMatchObject({ kind: 'paused', reason: 'away' });
    expect(executed).toEqual([]);
  });
});
