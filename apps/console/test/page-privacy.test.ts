import { encodeOutcome, type TransactionOutcome } from '@tetrad/node-agreement';
import { parseAddress, parseHash } from '@tetrad/types';
import { describe, expect, it } from '@jest/globals';
import type { Outcome } from '../page/src/api/call-node.js';
import { followerStateOf } from '../page/src/privacy/follower-state.js';
import { heldOf } from '../page/src/privacy/held-contract.js';
import { flagInWords } from '../page/src/privacy/privacy-flags.js';
import { repairRows } from '../page/src/privacy/repair-rows.js';
import { repairsSchema } from '../page/src/api/repair-shapes.js';
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
    // An account that a private transaction touched at a node that is not a party.
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

describe('repairs of private contracts', () => {
  const root = (digit: string) => ({
    storageRoot: `0x${digit.repeat(64)}`,
    codeHash: `0x${'c'.repeat(64)}`,
    nonce: '1',
  });
  const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');
  const contract = `0x${'a1'.repeat(20)}`;
  const change = { contract, ownPtmKey: key(1), before: root('1'), after: root('2') };
  const answer = {
    repairs: [
      {
        ...change,
        blockNumber: 20,
        from: key(2),
        request: `0x${'e'.repeat(64)}`,
        reason: 'left out',
        statements: ['0xaa', '0xbb'],
        untold: [key(3)],
        madeAt: 1_795_000_000,
      },
    ],
    told: [
      {
        ...change,
        blockNumber: 25,
        ptmKey: key(2),
        isSame: false,
        notice: '0xcc',
        heardAt: 1_795_000_100,
      },
    ],
    allowed: [],
  };

  it('are listed with those of other parties, the newest first', () => {
    const roots = { contract, rootBefore: root('1').storageRoot, rootAfter: root('2').storageRoot };
    expect(repairRows(repairsSchema.parse(answer))).toEqual([
      { ...roots, block: 25, at: 1_795_000_100, by: { kind: 'party', ptmKey: key(2), isSame: false } },
      {
        ...roots,
        block: 20,
        at: 1_795_000_000,
        by: { kind: 'node', from: key(2), reason: 'left out', signed: 2, untold: 1 },
      },
    ]);
  });

  it.each([
    ['an invalid key', { ptmKey: 'javascript:' }],
    ['an invalid address', { contract: '0x12' }],
    ['a block that is not a number', { blockNumber: '25' }],
  ])('are not read with %s', (_what, field) => {
    const wrong = { ...answer, told: [{ ...answer.told[0], ...field }] };
    expect(repairsSchema.safeParse(wrong).success).toBe(false);
  });
});
