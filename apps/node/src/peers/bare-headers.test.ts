import { expect, it } from '@jest/globals';
import { decodeHeader, encodeHeader } from '@tetrad/node-block';
import { DecodedTransactions, decodeTransaction, defaultGenesis, parseGenesis } from '@tetrad/node-execution';
import { hashHeader } from '@tetrad/node-consensus-bft';
import { blockZeroOf, type Ledger } from '@tetrad/node-ledger';
import type { StatePort } from '@tetrad/node-peer';
import type { TransactionPool } from '@tetrad/node-pool';
import type { BlockHeader } from '@tetrad/types';
import type { OpenChain } from '../open/open-chain.js';
import { chainPort } from './chain-port.js';
import { statePort } from './state-port.js';

const HEAD = 8;
/** Headers up to it have no seals. */
const CHECKPOINT = 5;
const genesis = parseGenesis(
  defaultGenesis({
    chainId: 1337,
    engine: 'qbft',
    blockPeriodMs: 1_000,
    extraData: `0x${'00'.repeat(32)}`,
    balances: new Map(),
  }),
);

async function portsOf(joined: number | undefined) {
  const { header: zero } = await blockZeroOf(genesis, { hashHeader });
  const headerAt = (number: number): BlockHeader => ({ ...zero, number });
  const ledger = {
    blockHorizon: { joined },
    rules: { isSealed: ({ number }: BlockHeader) => number > CHECKPOINT },
    findBlock: async (number: number) =>
      number > HEAD ? undefined : { header: headerAt(number), transactions: [] },
  } as unknown as Ledger;
  const listBlocks = async (from: number, to: number) =>
    Array.from({ length: Math.max(0, Math.min(to, HEAD) - from + 1) }, (_, index) => ({
      number: from + index,
      header: encodeHeader(headerAt(from + index)),
    }));
  const chain = { ledger, store: { listBlocks }, engine: { kind: 'bft' } } as unknown as OpenChain;
  const decoder = { decode: async (raw: Uint8Array) => decodeTransaction(raw, 1337n) };
  const decoded = new DecodedTransactions({ chainId: 1337n, decoder });
  const state: StatePort = statePort(chain);
  return { state, blocks: chainPort(ledger, {} as TransactionPool, decoded) };
}

it('headers and blocks without seals are given to no peer, those after them are', async () => {
  const { state, blocks } = await portsOf(7);
  const numbers = async (from: number) =>
    (await state.headers({ from, limit: 10, byteBudget: 1_000_000 })).map((raw) => decodeHeader(raw).number);
  expect(await numbers(1)).toEqual([]);
  expect(await numbers(6)).toEqual([6, 7, 8]);
  expect(await numbers(8)).toEqual([8]);
  expect(await blocks.readRange(1, 10, 1_000_000)).toEqual([]);
  expect(await blocks.readRange(6, 10, 1_000_000)).toHaveLength(3);
});
