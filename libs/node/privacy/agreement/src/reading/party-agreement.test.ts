import { describe, expect, it } from '@jest/globals';
import type { AgreementBlock, AgreementPair } from '@tetrad/node-store';
import { hashFromBytes, parsePtmKey } from '@tetrad/types';
import { emptyRow } from '../exchange/own-statement.js';
import { UNDISCLOSED, listBytes } from '../outcome/outcome-list.js';
import { ownListBytes } from '../outcome/own-list.js';
import { agreementOf, type AgreementFacts } from './party-agreement.js';

const DAY_MS = 24 * 3_600_000;
const keys = {
  own: parsePtmKey(Buffer.alloc(32, 1).toString('base64')),
  other: parsePtmKey(Buffer.alloc(32, 2).toString('base64')),
};
const transaction = hashFromBytes(Buffer.alloc(32, 7));
const digest = hashFromBytes(Buffer.alloc(32, 8));
const pair: AgreementPair = {
  ...keys,
  since: 5,
  agreedBlock: 9,
  firstSigner: undefined,
  lastSigner: undefined,
  heardAtMs: undefined,
  carriesMessages: true,
};
const facts: AgreementFacts = {
  pair,
  row: undefined,
  block: 10,
  transaction,
  stated: 10,
  carriesMessages: true,
  nowMs: 10 * DAY_MS,
};
const own = (isDisclosed = true) => ownListBytes([{ hash: transaction, digest, isDisclosed }]);
const row = (changes: Partial<AgreementBlock>): AgreementBlock => ({
  ...emptyRow(keys, 10, 10 * DAY_MS),
  ownList: own(),
  ...changes,
});
const told = (of = digest) => listBytes([{ hash: transaction, digest: of }]);

describe('whether a party agrees', () => {
  it.each([
    ['agreed on a block without a row', {}, 'agreed'],
    ['pending before the block is stated', { stated: 9 }, 'pending'],
    ['not to be told of blocks from before', { block: 4 }, 'notStated'],
    ['not to be told of a party that is not known', { pair: undefined }, 'notStated'],
    ['not to be told where our manager carries no messages', { carriesMessages: false }, 'noMessages'],
    ['pending until it states something', { row: row({}) }, 'pending'],
    ['pending where only it has stated something', { row: row({ ownList: undefined }) }, 'pending'],
    ['silent after a day', { row: row({ madeAtMs: 8 * DAY_MS }) }, 'silent'],
    ['diverged', { row: row({ state: 'diverged', otherList: told(transaction) }) }, 'diverged'],
    [
      'agreed on a transaction of a block that diverges in another',
      { row: row({ state: 'diverged', otherList: told() }) },
      'agreed',
    ],
    [
      'diverged where it does not have the transaction',
      { row: row({ state: 'diverged', otherList: listBytes([]) }) },
      'diverged',
    ],
    [
      'silent about what it does not disclose',
      { row: row({ state: 'undisclosed', otherList: told(UNDISCLOSED) }) },
      'undisclosedThere',
    ],
    [
      'equal to what is not disclosed here',
      { row: row({ state: 'undisclosed', ownList: own(false) }) },
      'undisclosedHere',
    ],
    ['agreed after it has changed its statement', { row: row({ state: 'agreed' }) }, 'agreed'],
  ] as const)('is %s', (_title, changes, expected) => {
    const agreement = agreementOf({ ...facts, ...changes });
    expect(agreement.kind === 'cannotTell' ? agreement.reason : agreement.kind).toBe(expected);
  });

  it('is not to be told where its manager carries no messages', () => {
    const away = { ...pair, carriesMessages: false };
    expect(agreementOf({ ...facts, pair: away, row: row({}) })).toMatchObject({ reason: 'noMessages' });
  });
});
