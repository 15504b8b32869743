import { describe, expect, it } from '@jest/globals';
import { parseAddress, parseHash, parsePtmKey, type Hash } from '@tetrad/types';
import type { AgreementBlock, AgreementContract } from '../src/index.js';
import { MAX_PENDING } from '../src/agreement-writes.js';
import { StoreFixture } from './store-fixture.js';

const open = StoreFixture.forEachTest();

const keyOf = (byte: number) => parsePtmKey(Buffer.alloc(32, byte).toString('base64'));
const hashOf = (seed: number): Hash => parseHash(`0x${seed.toString(16).padStart(64, '0')}`);
const PAIR = { own: keyOf(1), other: keyOf(2) };
const OTHER_PAIR = { own: keyOf(1), other: keyOf(3) };
const CONTRACT = parseAddress(`0x${'c0'.repeat(20)}`);
const SIGNER = 'ab'.repeat(64);
const NOW_MS = 1_800_000_000_000;

const row = (block: number, changes: Partial<AgreementBlock> = {}): AgreementBlock => ({
  ...PAIR,
  block,
  ownStatement: Buffer.alloc(298, 1),
  ownList: Buffer.alloc(65, 2),
  otherStatement: undefined,
  otherBefore: undefined,
  otherList: undefined,
  otherOutcome: undefined,
  ownRules: undefined,
  otherRules: undefined,
  state: 'pending',
  transaction: undefined,
  sent: 0,
  sends: 0,
  nextAtMs: NOW_MS,
  madeAtMs: NOW_MS,
  ...changes,
});
const contract = (block: number, isShared: boolean): AgreementContract => ({
  ...PAIR,
  contract: CONTRACT,
  block,
  transaction: hashOf(block),
  isShared,
});
const NOTHING = { rows: [], contracts: [], dropped: [] };

/** As buffers, which compare by their bytes. */
const plain = (found: AgreementBlock | undefined) =>
  found && Object.fromEntries(Object.entries(found).map(([name, value]) => [name, bytesOf(value)]));
const bytesOf = (value: unknown) =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;

describe('what parties state', () => {
  it('is stored with the head, and replaced by a later statement', async () => {
    const { agreement } = open.store;
    expect(await agreement.findHead()).toBeUndefined();
    await agreement.stateBlocks({ ...NOTHING, number: 7, rows: [row(7)] });
    const later = row(7, {
      otherStatement: Buffer.alloc(298, 3),
      otherBefore: Buffer.alloc(298, 4),
      otherList: Buffer.alloc(70, 5),
      otherOutcome: Buffer.alloc(90, 6),
      ownRules: Buffer.alloc(132, 7),
      otherRules: Buffer.alloc(122, 8),
      state: 'diverged',
      transaction: hashOf(9),
      sent: 2,
      sends: 1,
      nextAtMs: undefined,
    });
    await agreement.save([later]);
    await open.reopen();
    const { agreement: reopened } = open.store;
    expect(await reopened.findHead()).toBe(7);
    expect(plain(await reopened.findBlock(PAIR, 7))).toEqual(plain(later));
    expect((await reopened.listBlock(7)).length).toBe(1);
    expect(await reopened.findPair(PAIR)).toMatchObject({ since: 7, carriesMessages: true });
  });

  it('leaves one number for the pair once both agree', async () => {
    const { agreement } = open.store;
    await agreement.stateBlocks({ ...NOTHING, number: 7, rows: [row(7)] });
    await agreement.stateBlocks({ ...NOTHING, number: 8, rows: [row(8)] });
    await agreement.settle([row(8)]);
    await agreement.settle([row(7)]);
    expect(await agreement.findBlock(PAIR, 7)).toBeUndefined();
    expect(await agreement.findPair(PAIR)).toMatchObject({ since: 7, agreedBlock: 8 });
  });

  it('is due by its time, and later for a party that takes no more', async () => {
    const { agreement } = open.store;
    const rows = [row(7), { ...row(7), ...OTHER_PAIR, nextAtMs: NOW_MS + 1 }];
    await agreement.stateBlocks({ ...NOTHING, number: 7, rows });
    expect((await agreement.listDue(NOW_MS, 10)).map(({ other }) => other)).toEqual([PAIR.other]);
    await agreement.putOff(PAIR, NOW_MS + 5_000, false);
    expect((await agreement.listDue(NOW_MS + 1, 10)).map(({ other }) => other)).toEqual([OTHER_PAIR.other]);
    expect(await agreement.findPair(PAIR)).toMatchObject({ carriesMessages: false });
    expect(await agreement.count()).toMatchObject({ pending: 1, pairs: 1, pairsWithoutMessages: 1 });
    await agreement.hear(PAIR, { signer: SIGNER, atMs: NOW_MS });
    await agreement.hear(PAIR, { signer: 'cd'.repeat(64), atMs: NOW_MS + 1 });
    expect(await agreement.findPair(PAIR)).toMatchObject({
      carriesMessages: true,
      firstSigner: SIGNER,
      lastSigner: 'cd'.repeat(64),
      heardAtMs: NOW_MS + 1,
    });
  });

  it('is not compared for older blocks where too many are pending', async () => {
    const { agreement } = open.store;
    const rows = Array.from({ length: MAX_PENDING }, (_, index) => row(index + 1));
    await agreement.stateBlocks({ ...NOTHING, number: MAX_PENDING, rows });
    await agreement.stateBlocks({ ...NOTHING, number: MAX_PENDING + 1, rows: [row(MAX_PENDING + 1)] });
    expect(await agreement.findBlock(PAIR, 1)).toBeUndefined();
    expect(await agreement.findBlock(PAIR, 2)).toBeDefined();
    expect(await agreement.findPair(PAIR)).toMatchObject({ since: 2 });
  });

  it('drops a row in place of which another one or none is stated', async () => {
    const { agreement } = open.store;
    await agreement.stateBlocks({ ...NOTHING, number: 6, rows: [row(6)] });
    await agreement.save([row(7, { state: 'comparing' })]);
    await agreement.stateBlocks({ ...NOTHING, number: 7, rows: [row(7)] });
    expect(await agreement.findBlock(PAIR, 7)).toMatchObject({ state: 'pending' });
    await agreement.stateBlocks({ ...NOTHING, number: 7, dropped: [{ ...PAIR, block: 7 }] });
    expect(await agreement.findBlock(PAIR, 7)).toBeUndefined();
  });

  it('names the newest transaction of a contract, which stays shared', async () => {
    const { agreement } = open.store;
    await agreement.stateBlocks({ ...NOTHING, number: 7, contracts: [contract(7, true)] });
    await agreement.stateBlocks({ ...NOTHING, number: 8, contracts: [contract(8, false)] });
    expect(await agreement.listContract(CONTRACT)).toEqual([contract(8, true)]);
  });

  it('is stated again from the block to which private state is set back', async () => {
    const { agreement, privateState } = open.store;
    await privateState.moveHead({ number: 9, hash: hashOf(9) }, -1);
    await agreement.stateBlocks({ ...NOTHING, number: 9, rows: [row(9)] });
    await privateState.setBack({ number: 5, hash: hashOf(5) });
    expect(await agreement.findHead()).toBe(5);
    expect(await agreement.findBlock(PAIR, 9)).toBeDefined();
    await privateState.setBack(undefined);
    expect(await agreement.findHead()).toBe(-1);
  });
});

describe('older blocks', () => {
  it('are stated again from one on, and later ones are listed with their states', async () => {
    const { agreement } = open.store;
    await agreement.stateBlocks({ ...NOTHING, number: 7, rows: [row(7)] });
    await agreement.stateBlocks({ ...NOTHING, number: 9, rows: [{ ...row(9), ...OTHER_PAIR }] });
    const differing = row(8, { state: 'diverged', transaction: hashOf(3), sent: 3, nextAtMs: undefined });
    await agreement.save([differing]);
    await agreement.save([row(6, { state: 'undisclosed' })]);
    await agreement.save([row(3, { state: 'undisclosed' })]);
    await agreement.setBack(4, NOW_MS);
    expect(await agreement.findHead()).toBe(3);
    expect((await agreement.listPairs()).map(({ other, since }) => [other, since])).toEqual([
      [PAIR.other, 4],
      [OTHER_PAIR.other, 4],
    ]);
    expect(await agreement.listOpen(8)).toEqual([
      { ...PAIR, block: 8, state: 'diverged', transaction: hashOf(3) },
      { ...OTHER_PAIR, block: 9, state: 'pending', transaction: undefined },
    ]);
    // The evidence stays, and goes out again; what could not be told is compared as if for the first time.
    expect(plain(await agreement.findBlock(PAIR, 8))).toEqual(
      plain({ ...differing, sent: 0, nextAtMs: NOW_MS }),
    );
    expect(await agreement.findBlock(PAIR, 6)).toBeUndefined();
    expect(await agreement.findBlock(PAIR, 3)).toBeDefined();
  });

  it('that a party has not answered are sent at once when it is heard, the ones that were sent least often first', async () => {
    const { agreement } = open.store;
    const laterMs = NOW_MS + 60_000;
    const waiting = (block: number, sends: number) => row(block, { sends, nextAtMs: laterMs });
    const other = { ...waiting(6, 1), ...OTHER_PAIR };
    const unstated = row(5, { ownStatement: undefined, ownList: undefined, nextAtMs: laterMs });
    const soon = row(4, { nextAtMs: NOW_MS + 4_000 });
    for (const one of [waiting(7, 3), waiting(8, 1), waiting(9, 2), other, unstated, soon])
      await agreement.save([one]);
    await agreement.save([row(10, { state: 'diverged', nextAtMs: undefined })]);
    await agreement.hasten(PAIR, NOW_MS, 2);
    expect((await agreement.listDue(NOW_MS, 10)).map(({ block }) => block)).toEqual([8, 9]);
    expect(await agreement.countUnanswered(PAIR)).toBe(1);
    expect(await agreement.countUnanswered(OTHER_PAIR)).toBe(0);
  });

  it('wait for parties that answer, and not for silent ones', async () => {
    const { agreement } = open.store;
    const rows = [row(7), { ...row(7), ...OTHER_PAIR }];
    await agreement.stateBlocks({ ...NOTHING, number: 7, rows });
    expect(await agreement.countAwaited(NOW_MS - 1)).toBe(0);
    await agreement.hear(PAIR, { signer: SIGNER, atMs: NOW_MS });
    expect(await agreement.countAwaited(NOW_MS - 1)).toBe(1);
    expect(await agreement.countAwaited(NOW_MS + 1)).toBe(0);
  });
});

describe('contracts of which a pair has different states', () => {
  it('are those whose newest transaction of the pair is in a block on which it diverges', async () => {
    const { agreement } = open.store;
    const other = { ...contract(7, false), contract: parseAddress(`0x${'c1'.repeat(20)}`) };
    const contracts = [contract(7, false), other, { ...contract(7, false), ...OTHER_PAIR }];
    await agreement.stateBlocks({ ...NOTHING, number: 7, rows: [row(7)], contracts });
    expect(await agreement.listDiverged()).toEqual([]);
    await agreement.save([row(7, { state: 'diverged', transaction: hashOf(7) })]);
    const found = await agreement.listDiverged();
    expect(found.map((one) => one.contract)).toEqual([contract(7, false), other]);
    expect(found.map((one) => one.row.transaction)).toEqual([hashOf(7), hashOf(7)]);
    // A later transaction of one of them, on which both agree.
    await agreement.stateBlocks({ ...NOTHING, number: 8, contracts: [contract(8, false)] });
    expect((await agreement.listDiverged()).map((one) => one.contract)).toEqual([other]);
  });
});
