import { describe, expect, it } from '@jest/globals';
import { parseAddress, parseHash, parsePtmKey } from '@tetrad/types';
import { StoreFixture } from './store-fixture.js';

const fixture = StoreFixture.forEachTest();

const keyOf = (byte: number) => parsePtmKey(Buffer.alloc(32, byte).toString('base64'));
const CONTRACT = parseAddress(`0x${'c0'.repeat(20)}`);
const OTHER = parseAddress(`0x${'c1'.repeat(20)}`);
const NOW_MS = 1_800_000_000_000;
const HASH = parseHash(`0x${'ab'.repeat(32)}`);

/** A repair at the end of a block, of which two parties have yet to be notified. */
const repair = (block: number, reason: string) => ({
  block,
  contract: CONTRACT,
  own: keyOf(1),
  source: keyOf(2),
  request: HASH,
  reason,
  stateBefore: Buffer.alloc(104, 1),
  stateAfter: Buffer.alloc(104, 2),
  payloadBefore: Buffer.from('before'),
  payloadAfter: Buffer.from('after'),
  statements: Buffer.alloc(461, 3),
  untold: [keyOf(2), keyOf(3)],
  madeAtMs: NOW_MS,
});

const write = (block: number, reason: string) => ({
  stateRoot: HASH,
  receipts: [],
  logs: [],
  contracts: [],
  extensions: { started: [], approved: [], finished: [] },
  nodes: [],
  codes: [],
  preimages: [],
  repairs: [repair(block, reason)],
});

describe('a repair', () => {
  it('is stored with its block, and stays as it was when the block is executed again', async () => {
    const { store } = fixture;
    const { privateState, repairs } = store;
    await privateState.moveHead({ number: 5, hash: HASH }, -1, write(5, 'first'));
    await privateState.setBack(undefined);
    expect(await repairs.listBlocks()).toEqual([5]);
    await privateState.moveHead({ number: 5, hash: HASH }, -1, write(5, 'second'));
    expect(await repairs.list(CONTRACT)).toMatchObject([{ block: 5, reason: 'first', source: keyOf(2) }]);
    expect(await repairs.list(OTHER)).toEqual([]);
    const [whole] = await repairs.listAt(5);
    expect(Buffer.from(whole?.payloadAfter ?? []).toString()).toBe('after');
    expect(await repairs.count()).toEqual({
      here: 1,
      told: 0,
      lastHereMs: NOW_MS,
      lastToldMs: undefined,
    });
  });

  it('is not stored when the head is another one', async () => {
    const { store } = fixture;
    await expect(store.privateState.moveHead({ number: 5, hash: HASH }, 3, write(5, 'none'))).rejects.toThrow(
      'does not follow',
    );
    expect(await store.repairs.listBlocks()).toEqual([]);
  });

  it('is listed until all parties are notified', async () => {
    const { store } = fixture;
    const { privateState, repairs } = store;
    await privateState.moveHead({ number: 5, hash: HASH }, -1, write(5, 'one'));
    const [untold] = await repairs.listUntold();
    expect(untold?.untold).toEqual([keyOf(2), keyOf(3)]);
    if (untold === undefined) throw new Error('no repair');
    await repairs.setUntold(untold, [keyOf(3)]);
    expect((await repairs.listUntold())[0]?.untold).toEqual([keyOf(3)]);
    await repairs.setUntold(untold, []);
    expect(await repairs.listUntold()).toEqual([]);
  });
});

describe('notices of other parties', () => {
  it('are replaced by later ones of the block, and bounded for a pair', async () => {
    const { repairs } = fixture.store;
    const notice = (block: number, byte: number, other = keyOf(2)) =>
      repairs.hear({
        own: keyOf(1),
        other,
        contract: CONTRACT,
        block,
        notice: Buffer.alloc(9, byte),
        heardAtMs: NOW_MS,
      });
    await notice(1, 7, keyOf(3));
    for (let block = 1; block <= 70; block++) await notice(block, 1);
    await notice(70, 2);
    const found = await repairs.listNotices(CONTRACT);
    expect(found).toHaveLength(65);
    expect(found[0]).toMatchObject({ block: 70, other: keyOf(2) });
    expect(found[0]?.notice[0]).toBe(2);
    expect(found.map(({ block }) => block)).not.toContain(6);
    expect(await repairs.count()).toMatchObject({ here: 0, told: 65, lastToldMs: NOW_MS });
  });
});

describe('a party that may have a contract', () => {
  it('may until the time, and not another contract or party', async () => {
    const { repairs } = fixture.store;
    const permit = { contract: CONTRACT, other: keyOf(2), untilMs: NOW_MS };
    await repairs.permit(permit);
    expect(await repairs.mayHaveWhole(CONTRACT, keyOf(2), NOW_MS - 1)).toBe(true);
    expect(await repairs.mayHaveWhole(CONTRACT, keyOf(2), NOW_MS)).toBe(false);
    expect(await repairs.mayHaveWhole(CONTRACT, keyOf(3), 0)).toBe(false);
    expect(await repairs.mayHaveWhole(OTHER, keyOf(2), 0)).toBe(false);
    expect(await repairs.listPermits(NOW_MS - 1)).toEqual([permit]);
    await repairs.permit({ ...permit, untilMs: 0 });
    expect(await repairs.listPermits(1)).toEqual([]);
  });
});
