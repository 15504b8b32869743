import { describe, expect, it } from '@jest/globals';
import { ZERO_HASH, parseAddress, type Address, type SignedTransaction } from '@tetrad/types';
import fc from 'fast-check';
import type { ForkName } from '../genesis/forks.js';
import { genesisState } from '../state/genesis-state.js';
import { MemoryState } from '../testing/memory-state.js';
import { blockOf, testGenesis } from '../testing/run-state-test.js';
import { createExecutor } from './executor.js';
import { runInLibrary, type PlainAccount } from '../../test/library-run.js';

const addressOf = (id: number): Address =>
  parseAddress(`0x${(id + 0xa0).toString(16).padStart(2, '0').repeat(20)}`);
/** Sender and proposer exist, 2 is empty but present, 3 is absent, 4 has code. */
const [SENDER, PROPOSER, EMPTY, ABSENT, CONTRACT] = [0, 1, 2, 3, 4].map(addressOf) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];

const ACCOUNTS = [SENDER, PROPOSER, EMPTY, ABSENT, CONTRACT];

const PRE = {
  [SENDER]: { balance: '0xffffffffffffffffffff', nonce: '0x5' },
  [EMPTY]: {},
  [CONTRACT]: { balance: '0x1', code: '0x00' },
};

const forks: readonly ForkName[] = [
  'spuriousDragon',
  'istanbul',
  'berlin',
  'london',
  'shanghai',
  'prague',
  'osaka',
];

const plain = (account: PlainAccount): PlainAccount =>
  account && { balance: account.balance, nonce: account.nonce, codeHash: account.codeHash };

const scenario = fc.record({
  fork: fc.constantFrom(...forks),
  to: fc.constantFrom(SENDER, PROPOSER, EMPTY, ABSENT, CONTRACT, parseAddress(`0x${'00'.repeat(19)}02`)),
  proposer: fc.constantFrom(SENDER, PROPOSER, EMPTY, ABSENT),
  value: fc.constantFrom(0n, 1n, 10n ** 18n),
  gasPrice: fc.constantFrom(0n, 7n),
  tip: fc.constantFrom(0n, 2n, 7n),
  baseFee: fc.constantFrom(0n, 3n),
  type: fc.constantFrom('legacy' as const, 'accessList' as const, 'dynamicFee' as const),
  data: fc.uint8Array({ maxLength: 200 }),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

const ACCESS_LIST = [{ address: CONTRACT, storageKeys: [ZERO_HASH] }];

function transactionOf({ to, value, gasPrice, tip, data, type }: Scenario): SignedTransaction {
  const shared = {
    hash: ZERO_HASH,
    sender: SENDER,
    raw: new Uint8Array(0),
    nonce: 5n,
    gasLimit: 100_000n,
    to,
    value,
    data,
    v: 27n,
    r: 1n,
    s: 1n,
  };
  if (type === 'legacy') return { type, ...shared, gasPrice };
  if (type === 'accessList') return { type, ...shared, gasPrice, accessList: ACCESS_LIST };
  const maxPriorityFeePerGas = tip < gasPrice ? tip : gasPrice;
  return { type, ...shared, maxFeePerGas: gasPrice, maxPriorityFeePerGas, accessList: ACCESS_LIST };
}

const TYPE_FORKS = { legacy: 'spuriousDragon', accessList: 'berlin', dynamicFee: 'london' } as const;

async function prepare(fork: ForkName) {
  const memory = new MemoryState();
  const genesis = testGenesis(fork, PRE);
  const root = memory.store(await genesisState(genesis, memory.database));
  return { executor: createExecutor(genesis), open: () => memory.database.openWorld(root) };
}

describe('a transfer without a frame', () => {
  it('has the same gas, state root and emptied accounts as with a frame and in EthereumJS', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (chosen) => {
        const { executor, open } = await prepare(chosen.fork);
        const env = {
          coinbase: chosen.proposer,
          difficulty: '0x1',
          gasLimit: '0x5f5e100',
          number: '0x1',
          timestamp: '0x1',
          baseFee: `0x${chosen.baseFee.toString(16)}`,
        };
        const rules = executor.rules({ number: 1, timestamp: 1 });
        const block = blockOf(env, rules.has('london'));
        fc.pre(rules.has(TYPE_FORKS[chosen.type]));
        fc.pre(!rules.has('london') || chosen.gasPrice >= chosen.baseFee);
        const transaction = transactionOf(chosen);

        const [direct, framed] = [await open(), await open()];
        const effects = await executor.executeTransaction(block, transaction, direct);
        const library = await runInLibrary({ fork: chosen.fork, pre: PRE, block }, transaction);
        expect(effects).toEqual(library.effects);
        for (const address of ACCOUNTS)
          expect(plain(await direct.findAccount(address))).toEqual(await library.findAccount(address));
        // With hooks even a plain transfer runs in a frame.
        expect(await executor.executeTransaction(block, transaction, framed, { hooks: {} })).toEqual(effects);
        expect((await direct.commitBlock()).stateRoot).toBe((await framed.commitBlock()).stateRoot);
      }),
      { numRuns: 120 },
    );
  });
});
