import { encodeOutcome, type TransactionOutcome } from '@tetrad/node-agreement';
import { parseAddress, parseHash } from '@tetrad/types';
import { describe, expect, it } from '@jest/globals';
import type { Outcome } from '../page/src/api/call-node.js';
import { followerStateOf } from '../page/src/privacy/follower-state.js';
import { heldOf } from '../page/src/privacy/held-contract.js';
import { flagInWords } from '../page/src/privacy/privacy-flags.js';
import { privateKindOf } from '../page/src/privacy/private-transactions.js';
import { readStatedOutcome } from '../page/src/privacy/stated-outcome.js';

const done = (value: unknown): Outcome => ({ kind: 'done', value });
const refused = (reason: string, more: { readonly blockNumber?: number } = {}): Outcome => ({
  kind: 'refused',
  code: -32_000,
  message: `because of ${reason}`,
  reason,
  ...more,
});

describe('the private state of a node', () => {
  it.each([
    ['has no manager', refused('PRIVACY_NOT_AVAILABLE'), undefined, { kind: 'none' }],
    ['follows the chain', done(null), refused('NOT_A_PRIVATE_CONTRACT'), { kind: 'follows' }],
    [
      'is behind by so many blocks',
      refused('PRIVATE_STATE_NOT_AVAILABLE'),
      refused('PRIVATE_STATE_NOT_AVAILABLE', { blockNumber: 7 }),
      { kind: 'behind', blocks: 3, reason: 'because of PRIVATE_STATE_NOT_AVAILABLE' },
    ],
    [
      'reached the head after it was asked for',
      done(null),
      refused('PRIVATE_STATE_NOT_AVAILABLE', { blockNumber: 12 }),
      { kind: 'behind', blocks: 0, reason: 'because of PRIVATE_STATE_NOT_AVAILABLE' },
    ],
    [
      'is behind by an unknown number',
      done(null),
      refused('PRIVATE_STATE_NOT_AVAILABLE'),
      { kind: 'behind', blocks: undefined, reason: 'because of PRIVATE_STATE_NOT_AVAILABLE' },
    ],
    ['is not known', done(null), refused('OTHER'), { kind: 'unknown', reason: 'because of OTHER' }],
    ['is left out', done(null), undefined, { kind: 'unknown', reason: 'the node left out an answer' }],
  ] as const)('%s', (_, marked, state, expected) => {
    expect(followerStateOf(10, marked, state)).toEqual(expected);
  });
});

describe('a contract at a node', () => {
  it.each([
    [done('0x00'), done({ privacyFlag: 3 }), { kind: 'private', flag: 3 }],
    [done('0x00'), refused('NO_PRIVACY_METADATA'), { kind: 'private', flag: 0 }],
    // An account that a private transaction touched at a node that is no party.
    [done('0x'), refused('NO_PRIVACY_METADATA'), { kind: 'nothing' }],
    [done('0x00'), refused('NOT_A_PRIVATE_CONTRACT'), { kind: 'public' }],
    [done('0x'), refused('NOT_A_PRIVATE_CONTRACT'), { kind: 'nothing' }],
    [done('0x'), refused('OTHER'), { kind: 'unknown', reason: 'because of OTHER' }],
    // Without its code, an address is not said to have none.
    [refused('OTHER'), refused('NOT_A_PRIVATE_CONTRACT'), { kind: 'unknown', reason: 'because of OTHER' }],
    [undefined, undefined, { kind: 'unknown', reason: 'the node left out an answer' }],
  ])('with the code %j and the metadata %j is %j', (code, metadata, expected) => {
    const flagOf = (value: unknown) => (value as { privacyFlag: number }).privacyFlag;
    expect(heldOf({ code, metadata }, flagOf)).toEqual(expected);
  });
});

describe('a transaction', () => {
  const precompile = `0x${'00'.repeat(19)}7A`;
  it.each([
    [{ v: 37n, to: null }, 'private'],
    [{ v: 38n, to: precompile }, 'private'],
    [{ v: 2709n, to: precompile }, 'marker'],
    [{ v: 2709n, to: null }, undefined],
    [{ v: null, to: `0x${'7a'.repeat(20)}` }, undefined],
  ])('is private or not: %#', (transaction, kind) => {
    expect(privateKindOf(transaction)).toBe(kind);
  });
});

it('a flag has its name, also one that is not defined', () => {
  expect([2, 9].map(flagInWords)).toEqual(['mandatory party protection (2)', 'unknown flag (9)']);
});

describe('an outcome that another party has signed', () => {
  const hash = (digit: string) => parseHash(`0x${digit.repeat(64)}`);
  const address = (digit: string) => parseAddress(`0x${digit.repeat(40)}`);
  const state = { nonce: 1n, balance: 5n, storageRoot: hash('a'), codeHash: hash('b') };
  const outcome: TransactionOutcome = {
    hash: hash('1'),
    status: 1,
    gasUsed: 30_210n,
    logsHash: hash('2'),
    contracts: [
      { address: address('3'), state },
      { address: address('4'), state: undefined },
    ],
  };
  const hex = `0x${Buffer.from(encodeOutcome(hash('9'), outcome)).toString('hex')}`;

  it('is read as the node writes it', () => {
    expect(readStatedOutcome(hex)).toEqual({
      hash: outcome.hash,
      status: 1,
      gasUsed: 30_210,
      logsHash: outcome.logsHash,
      contractCount: 2,
      contracts: [
        { address: address('3'), storageRoot: state.storageRoot },
        { address: address('4'), storageRoot: undefined },
      ],
    });
  });

  it('is not read in another length', () => {
    expect(readStatedOutcome(hex.slice(0, -2))).toBeUndefined();
    expect(readStatedOutcome('0x')).toBeUndefined();
    expect(readStatedOutcome(`${hex}${'00'.repeat(125 * 300)}`)).toBeUndefined();
  });
});
