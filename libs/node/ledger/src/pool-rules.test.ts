import { describe, expect, it } from '@jest/globals';
import { EMPTY_KECCAK } from '@tetrad/crypto';
import {
  createExecutor,
  decodeTransaction,
  defaultGenesis,
  parseGenesis,
  type AccountState,
} from '@tetrad/node-execution';
import { signTransaction, type UnsignedTransaction } from '@tetrad/transactions';
import { RefusalError, ZERO_ADDRESS, ZERO_HASH, type SignedTransaction } from '@tetrad/types';
import { PoolBook } from './pool-book.js';
import { createPoolEntry, type PoolEntry } from './pool-entry.js';
import {
  assertAcceptable,
  assertAffordable,
  assertReplaces,
  assertRoom,
  completePoolLimits,
  type PoolLimits,
} from './pool-rules.js';

const CHAIN_ID = 1337n;
const PRIVATE_KEY = new Uint8Array(32).fill(3);
const settings = {
  chainId: 1337,
  extraData: '0x',
  engine: 'qbft',
  blockPeriodMs: 1000,
  balances: new Map(),
} as const;

function transaction(changes: Partial<UnsignedTransaction> & { dataBytes?: number } = {}): SignedTransaction {
  const { dataBytes = 0, ...rest } = changes;
  const data = new Uint8Array(dataBytes);
  const usual = { chainId: CHAIN_ID, nonce: 0n, gasLimit: 21_000n, to: ZERO_ADDRESS, value: 0n, data };
  const raw = signTransaction({ ...usual, fees: { type: 'legacy', gasPrice: 0n }, ...rest }, PRIVATE_KEY);
  return decodeTransaction(raw, CHAIN_ID);
}

let sequence = 0;
function entry(changes: Parameters<typeof transaction>[0] = {}): PoolEntry {
  return { ...createPoolEntry(transaction(changes), { sequence: sequence++, enteredMs: 0 }), durable: true };
}

function refusal(check: () => void): [string, string] | 'accepted' {
  try {
    check();
    return 'accepted';
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    return [error.reason, error.message];
  }
}

describe('a transaction by itself', () => {
  const executor = (london: boolean) => {
    const json = defaultGenesis(settings);
    const config = {
      ...(json['config'] as object),
      ...(london ? {} : { berlinBlock: 100, londonBlock: 100 }),
    };
    return createExecutor(parseGenesis({ ...json, config: london ? config : withoutTimes(config) }));
  };
  const judge = (one: SignedTransaction, limits: Partial<PoolLimits> = {}, london = true) =>
    refusal(() =>
      assertAcceptable(one, {
        rules: executor(london).rules({ number: 1, timestamp: 1 }),
        blockGasLimit: 10_000_000n,
        maxCodeSize: undefined,
        limits: completePoolLimits(limits),
      }),
    );

  it('is accepted when it fits a block', () => {
    expect(judge(transaction())).toBe('accepted');
  });

  it.each([
    [
      'INTRINSIC_GAS_TOO_LOW',
      'intrinsic gas too low: gas 20999, minimum needed 21000',
      { gasLimit: 20_999n },
    ],
    ['GAS_LIMIT_EXCEEDED', 'exceeds block gas limit', { gasLimit: 10_000_001n }],
    [
      'INIT_CODE_TOO_LARGE',
      'max initcode size exceeded: code size 49153, limit 49152',
      { to: undefined, dataBytes: 49_153, gasLimit: 9_000_000n },
    ],
    [
      'OVERSIZED_DATA',
      'oversized data: transaction size 131177, limit 131072',
      { dataBytes: 131_072, gasLimit: 9_000_000n },
    ],
  ])('is refused as %s', (reason, message, changes) => {
    expect(judge(transaction(changes))).toEqual([reason, message]);
  });

  it('is refused when it offers less than the least gas price', () => {
    expect(judge(transaction(), { minimumGasPrice: 1n })).toEqual(['UNDERPRICED', 'transaction underpriced']);
  });

  it('is refused before its type exists', () => {
    const typed = transaction({ fees: { type: 'accessList', gasPrice: 0n, accessList: [] } });
    expect(judge(typed, {}, false)).toEqual(['TYPE_NOT_ACTIVE', 'transaction type not supported']);
  });
});

/** A chain that stays before Berlin: forks by time come after those by block. */
function withoutTimes(config: object): object {
  return Object.fromEntries(Object.entries(config).filter(([key]) => !key.endsWith('Time')));
}

describe("a transaction and its sender's account", () => {
  const account = (changes: Partial<AccountState>): AccountState => ({
    ...{ balance: 100n, nonce: 5n, codeHash: EMPTY_KECCAK, storageRoot: ZERO_HASH, ...changes },
  });
  const queue = (cost: bigint, at?: PoolEntry) => ({ cost, at: () => at });

  it('is refused below the nonce of the account', () => {
    expect(refusal(() => assertAffordable(entry({ nonce: 4n }), account({}), undefined))).toEqual([
      'NONCE_TOO_LOW',
      'nonce too low: next nonce 5, tx nonce 4',
    ]);
    expect(refusal(() => assertAffordable(entry({ nonce: 5n }), account({}), undefined))).toBe('accepted');
    expect(refusal(() => assertAffordable(entry({ nonce: 9n }), account({}), undefined))).toBe('accepted');
  });

  it('must be paid for, gas included, together with those that wait', () => {
    const dear = entry({ nonce: 5n, value: 101n });
    expect(refusal(() => assertAffordable(dear, account({}), undefined))).toEqual([
      'INSUFFICIENT_FUNDS',
      'insufficient funds for gas * price + value: balance 100, tx cost 101, overshot 1',
    ]);
    const gas = entry({ nonce: 5n, fees: { type: 'legacy', gasPrice: 1n } });
    expect(refusal(() => assertAffordable(gas, account({}), undefined))[0]).toBe('INSUFFICIENT_FUNDS');
    const second = entry({ nonce: 6n, value: 60n });
    expect(refusal(() => assertAffordable(second, account({}), queue(60n)))).toEqual([
      'INSUFFICIENT_FUNDS',
      'insufficient funds for gas * price + value: balance 100, queued cost 60, tx cost 60, overshot 20',
    ]);
    // What it replaces need not be paid for any more.
    const replaced = entry({ nonce: 6n, value: 60n });
    expect(refusal(() => assertAffordable(second, account({}), queue(60n, replaced)))).toBe('accepted');
    expect(refusal(() => assertAffordable(entry({ value: 1n }), undefined, undefined))[0]).toBe(
      'INSUFFICIENT_FUNDS',
    );
  });

  it('is refused from an account with code', () => {
    const contract = account({ codeHash: ZERO_HASH });
    expect(refusal(() => assertAffordable(entry({ nonce: 5n }), contract, undefined))).toEqual([
      'SENDER_NOT_EOA',
      'sender not an eoa',
    ]);
  });
});

describe('a replacement', () => {
  const legacy = (gasPrice: bigint) => entry({ fees: { type: 'legacy', gasPrice } });
  const dynamic = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint) =>
    entry({ fees: { type: 'dynamicFee', maxFeePerGas, maxPriorityFeePerGas, accessList: [] } });

  it.each([
    ['a higher price', legacy(1n), legacy(0n), true],
    ['the same price', legacy(1n), legacy(1n), false],
    ['a lower price', legacy(1n), legacy(2n), false],
    ['a higher cap but the same tip', dynamic(9n, 1n), legacy(1n), false],
    ['a higher tip', dynamic(9n, 2n), legacy(1n), true],
  ])('at %s', (_, newcomer, pending, accepted) => {
    const result = refusal(() => assertReplaces(newcomer, pending));
    expect(result).toEqual(
      accepted ? 'accepted' : ['REPLACEMENT_UNDERPRICED', 'replacement transaction underpriced'],
    );
  });
});

describe('room in the pool', () => {
  const book = new PoolBook();
  for (const nonce of [0n, 1n, 5n]) book.put(entry({ nonce }), 0n);
  const judge = (nonce: bigint, limits: Partial<PoolLimits>) => {
    const result = refusal(() =>
      assertRoom(entry({ nonce }), 0n, { book, limits: completePoolLimits(limits) }),
    );
    return result === 'accepted' ? result : result[0];
  };

  it('ends at the number of transactions, in all and of one sender', () => {
    expect([judge(2n, { total: 4 }), judge(2n, { total: 3 })]).toEqual(['accepted', 'POOL_FULL']);
    expect([judge(2n, { perAccount: 4 }), judge(2n, { perAccount: 3 })]).toEqual([
      'accepted',
      'ACCOUNT_LIMIT_EXCEEDED',
    ]);
  });

  it('ends at their bytes', () => {
    const next = entry({ nonce: 2n }).transaction.raw.length;
    expect(judge(2n, { totalBytes: book.bytes + next })).toBe('accepted');
    expect(judge(2n, { totalBytes: book.bytes + next - 1 })).toBe('POOL_FULL');
  });

  it('is kept for those that the next blocks can take', () => {
    expect([judge(6n, { queued: 1 }), judge(2n, { queued: 1 })]).toEqual(['POOL_FULL', 'accepted']);
    expect(completePoolLimits({ total: 10 }).queued).toBe(3);
  });
});
