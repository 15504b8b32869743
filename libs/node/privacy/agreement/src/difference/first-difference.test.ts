import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addressFromBytes, hashFromBytes, type Address, type Hash } from '@tetrad/types';
import { listDigest, type ListedOutcome, type ToldList } from '../outcome/outcome-list.js';
import {
  logsHash,
  outcomeDigest,
  sortContracts,
  type ContractOutcome,
  type TransactionOutcome,
} from '../outcome/transaction-outcome.js';
import type { ContractState } from '../signed/contract-state.js';
import {
  decodeList,
  decodeOutcome,
  encodeList,
  encodeOutcome,
  isListOf,
  isOutcomeOf,
  statementHash,
} from '../statement/statement-details.js';
import { firstInLists, firstInOutcomes } from './first-difference.js';

const STATEMENT = statementHash(Buffer.from('signed'));

function hashOf(byte: number): Hash {
  return hashFromBytes(Buffer.alloc(32, byte));
}

function addressOf(byte: number): Address {
  return addressFromBytes(Buffer.alloc(20, byte));
}

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(hashFromBytes);
const state: fc.Arbitrary<ContractState> = fc.record({
  nonce: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  balance: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  storageRoot: hash,
  codeHash: hash,
});
const contracts: fc.Arbitrary<ContractOutcome[]> = fc
  .uniqueArray(fc.nat(255), { maxLength: 6 })
  .chain((bytes) =>
    fc
      .tuple(...bytes.map(() => fc.option(state, { nil: undefined })))
      .map((states) =>
        sortContracts(states.map((one, index) => ({ address: addressOf(bytes[index] ?? 0), state: one }))),
      ),
  );
const outcome: fc.Arbitrary<TransactionOutcome> = fc.record({
  hash,
  status: fc.constantFrom(0 as const, 1 as const),
  gasUsed: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  logsHash: hash,
  contracts,
});
const outcomes = fc.uniqueArray(outcome, { maxLength: 8, selector: (one) => one.hash });

function listOf(all: readonly TransactionOutcome[]): ListedOutcome[] {
  return all.map((one) => ({ hash: one.hash, digest: outcomeDigest(one) }));
}

function wholeOf(outcomes: readonly ListedOutcome[]): ToldList {
  return { outcomes, isWhole: true };
}

describe('details of a statement', () => {
  it('read back as they were written, and belong to the digest', () => {
    fc.assert(
      fc.property(outcomes, (all) => {
        const list = listOf(all);
        const read = decodeList(encodeList(STATEMENT, list));
        expect(read).toEqual({ statement: STATEMENT, value: { outcomes: list, isWhole: true } });
        expect(isListOf({ digest: listDigest(list) }, { outcomes: list, isWhole: true })).toBe(true);
        for (const one of all) {
          const told = decodeOutcome(encodeOutcome(STATEMENT, one))?.value;
          expect(told).toMatchObject(one);
          expect(told !== undefined && isOutcomeOf({ outcomes: list }, told)).toBe(true);
        }
      }),
    );
  });

  it('do not belong to the digest when a transaction is left out, added or moved', () => {
    const [a, b, c] = [1, 2, 3].map((byte) => ({ hash: hashOf(byte), digest: hashOf(byte + 10) }));
    const stated = { digest: listDigest([a, b].map((one) => one as ListedOutcome)) };
    for (const told of [[a], [b], [b, a], [a, b, c], []])
      expect(isListOf(stated, { outcomes: told as ListedOutcome[], isWhole: true })).toBe(false);
  });

  it('are refused when a contract is listed out of order or twice', () => {
    const [one] = fc.sample(state, 1) as [ContractState];
    const at = (byte: number) => ({ address: addressOf(byte), state: one });
    for (const listed of [
      [at(2), at(1)],
      [at(1), at(1)],
    ]) {
      const lied: TransactionOutcome = {
        hash: hashOf(1),
        status: 1,
        gasUsed: 1n,
        logsHash: logsHash([]),
        contracts: listed,
      };
      expect(decodeOutcome(encodeOutcome(STATEMENT, lied))).toBeUndefined();
    }
  });

  it('of more contracts than travel have their hash alone, and still compare', () => {
    const many = Array.from({ length: 257 }, (_, index) => ({
      address: addressFromBytes(Buffer.concat([Buffer.alloc(18), Buffer.of(index >> 8, index & 0xff)])),
      state: undefined,
    }));
    const base = { hash: hashOf(1), status: 1, gasUsed: 1n, logsHash: logsHash([]) } as const;
    const told = decodeOutcome(encodeOutcome(STATEMENT, { ...base, contracts: many }))?.value;
    expect(told?.contracts).toBeUndefined();
    expect(told && outcomeDigest(told)).toBe(outcomeDigest({ ...base, contracts: many }));
    expect(told && firstInOutcomes({ ...base, contracts: [] }, told)).toEqual({ field: 'contracts' });
    expect(told && firstInOutcomes({ ...base, contracts: many }, told)).toBeUndefined();
  });

  it('never fail on bytes of a stranger', () => {
    const mark = fc.constantFrom('tetrad/agreement/list/v1', 'tetrad/agreement/outcome/v1');
    fc.assert(
      fc.property(mark, fc.uint8Array({ maxLength: 400 }), (text, rest) => {
        const bytes = Buffer.concat([Buffer.from(text), rest]);
        expect([decodeList(bytes), decodeOutcome(bytes)]).toContain(undefined);
      }),
    );
  });
});

describe('the first difference', () => {
  it('is undefined for equal lists and outcomes', () => {
    fc.assert(
      fc.property(outcomes, (all) => {
        expect(firstInLists(listOf(all), wholeOf(listOf(all)))).toBeUndefined();
        for (const one of all) {
          const told = decodeOutcome(encodeOutcome(STATEMENT, one))?.value;
          expect(told && firstInOutcomes(one, told)).toBeUndefined();
        }
      }),
    );
  });

  it('is found wherever one outcome is another', () => {
    fc.assert(
      fc.property(outcomes, outcome, fc.nat(), (all, other, at) => {
        fc.pre(all.length > 0);
        const place = at % all.length;
        const changed = all.map((one, index) => (index === place ? { ...other, hash: one.hash } : one));
        fc.pre(listOf(changed)[place]?.digest !== listOf(all)[place]?.digest);
        const transaction = (all[place] as TransactionOutcome).hash;
        expect(firstInLists(listOf(all), wholeOf(listOf(changed)))).toEqual({ kind: 'outcome', transaction });
        const told = decodeOutcome(encodeOutcome(STATEMENT, changed[place] as TransactionOutcome))?.value;
        expect(told && firstInOutcomes(all[place] as TransactionOutcome, told)).toBeDefined();
      }),
    );
  });

  it('names the transaction that one party lacks, and which party', () => {
    const [a, b, c] = [1, 2, 3].map((byte) => ({ hash: hashOf(byte), digest: hashOf(9) })) as [
      ListedOutcome,
      ListedOutcome,
      ListedOutcome,
    ];
    const missing = (transaction: Hash, at: 'own' | 'other') => ({ kind: 'missing', transaction, at });
    expect(firstInLists([a, b, c], wholeOf([a, c]))).toEqual(missing(b.hash, 'other'));
    expect(firstInLists([a, c], wholeOf([a, b, c]))).toEqual(missing(b.hash, 'own'));
    expect(firstInLists([a, b], wholeOf([a, b, c]))).toEqual(missing(c.hash, 'own'));
    expect(firstInLists([a], wholeOf([]))).toEqual(missing(a.hash, 'other'));
    expect(firstInLists([a, b, c], { outcomes: [a, b], isWhole: false })).toBeUndefined();
    expect(firstInLists([a, b], wholeOf([b, a]))).toEqual({ kind: 'order', transaction: b.hash });
  });

  it('names the contract and what of it differs', () => {
    const [mine] = fc.sample(state, 1) as [ContractState];
    const base = { hash: hashOf(1), status: 1, gasUsed: 1n, logsHash: logsHash([]) } as const;
    const own: TransactionOutcome = { ...base, contracts: [{ address: addressOf(5), state: mine }] };
    const tell = (contracts: ContractOutcome[]) =>
      decodeOutcome(encodeOutcome(STATEMENT, { ...base, contracts }))?.value ?? fail();
    const theirs = { ...mine, storageRoot: hashOf(0xee) };
    expect(firstInOutcomes(own, tell([{ address: addressOf(5), state: theirs }]))).toEqual({
      field: 'contract',
      address: addressOf(5),
      of: 'storageRoot',
      own: mine,
      other: theirs,
    });
    expect(firstInOutcomes(own, tell([]))).toMatchObject({ of: 'presence', other: undefined });
  });
});

function fail(): never {
  throw new Error('the outcome was not read');
}
