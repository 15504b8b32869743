import { describe, expect, it } from '@jest/globals';
import { frameSchema, transactionSchema, type Frame } from '../page/src/api/shapes.js';
import { connections } from '../page/src/parts/connections.js';
import { MAX_SHOWN, firstFrames } from '../page/src/api/first-frames.js';
import { age, byteLength, coins, isolated, revertText, short } from '../page/src/parts/format.js';
import { searchFor, viewOf } from '../page/src/paths.js';

const HASH = `0x${'ab'.repeat(32)}`;
const ADDRESS = `0x${'Cd'.repeat(20)}`;

describe('addresses of views', () => {
  it.each([
    ['/', { kind: 'network' }],
    ['/blocks', { kind: 'blocks' }],
    ['/blocks/', { kind: 'blocks' }],
    ['/blocks/12', { kind: 'block', id: '12' }],
    [`/blocks/${HASH}`, { kind: 'block', id: HASH }],
    [`/transactions/${HASH}`, { kind: 'transaction', id: HASH }],
    [`/accounts/${ADDRESS}`, { kind: 'account', id: ADDRESS }],
    ['/pool', { kind: 'pool' }],
    ['/privacy', { kind: 'privacy' }],
    [`/privacy/${ADDRESS}`, { kind: 'private-contract', id: ADDRESS }],
    [`/privacy/${HASH}`, { kind: 'private-transaction', id: HASH }],
    ['/privacy/12', { kind: 'unknown' }],
    ['/blocks/-1', { kind: 'unknown' }],
    ['/blocks/9999999999999999', { kind: 'unknown' }],
    ['/blocks/1/2', { kind: 'unknown' }],
    ['/transactions/1', { kind: 'unknown' }],
    ['/constructor', { kind: 'unknown' }],
  ])('%s', (path, view) => {
    expect(viewOf(path)).toEqual(view);
  });

  it.each([
    [' 1,234 ', { path: '/blocks/1234' }],
    ['0007', { path: '/blocks/7' }],
    [ADDRESS, { path: `/accounts/${ADDRESS.toLowerCase()}` }],
    [HASH.toUpperCase().replace('0X', '0x'), { hash: HASH }],
    ['', undefined],
    ['javascript:alert(1)', undefined],
  ])('a search for %j', (input, found) => {
    expect(searchFor(input)).toEqual(found);
  });
});

describe('what people read', () => {
  it.each([
    [100, 101_000, '1 s'],
    [100, 99_000, '0 s'],
    [0, 119_999, '119 s'],
    [0, 120_000, '2 min'],
    [0, 7_200_000, '2 h'],
    [0, 172_800_000, '2 d'],
  ])('of the age of %i s at %i ms: %s', (seconds, now, text) => {
    expect(age(seconds, now)).toBe(text);
  });

  it('of amounts, bytes and long texts', () => {
    expect(coins(1_000_000_000_000_000_001n)).toBe('1.000000000000000001');
    expect([byteLength('0x'), byteLength('0x1234')]).toEqual([0, 2]);
    expect([short(HASH), short('0x1234')]).toEqual(['0xababab…ababab', '0x1234']);
  });

  it('of a name that turns the direction of text: isolated, and unable to end that', () => {
    expect(isolated('bank')).toBe('\u2068bank\u2069');
    const [turned, ends, pops] = ['\u202e', '\u2069', '\u202c'];
    expect(isolated(`${turned}knab${ends}${pops}\u0627`)).toBe('\u2068knab\u0627\u2069');
  });

  it('of a revert, whose length is the word of a stranger', () => {
    const word = (value: number | bigint) => value.toString(16).padStart(64, '0');
    const text = Buffer.from('too little').toString('hex').padEnd(64, '0');
    expect(revertText(`0x08c379a0${word(32)}${word(10)}${text}`)).toBe('too little');
    expect(revertText(`0x08c379a0${word(32)}${word(2n ** 255n)}${text}`)).toMatch(/^too little/);
    expect(revertText(`0x08c379a0${word(32)}`)).toBeUndefined();
    expect(revertText('0x')).toBeUndefined();
  });

  it('of a text that a stranger chose: the first 300 characters', () => {
    const frame = frameSchema.parse({ type: 'CALL', from: ADDRESS, error: 'x'.repeat(1_000_000) });
    expect(frame.error).toHaveLength(301);
  });
});

describe('the calls of a transaction', () => {
  const frame = (calls?: unknown[]): Frame => ({ type: 'CALL', from: ADDRESS, ...(calls && { calls }) });

  it('are in the order of execution, and count those that are left out', () => {
    const [a, b] = [frame(), frame()];
    const root = frame([frame([a]), b]);
    const { frames, leftOut } = firstFrames(root);
    expect(frames.map(({ depth }) => depth)).toEqual([0, 1, 2, 1]);
    expect([frames[2]?.frame, frames[3]?.frame]).toEqual([a, b]);
    expect(() => firstFrames(frame([{ type: 'CALL', from: '<img>' }]))).toThrow('from');
    expect(leftOut).toBe(0);
    expect(firstFrames(frame(Array.from({ length: 10_000 }, () => frame())))).toMatchObject({
      leftOut: 10_001 - MAX_SHOWN,
    });
  });

  it('may be as deep as the machine lets them', () => {
    let root: Frame = frame();
    for (let depth = 0; depth < 1_024; depth += 1) root = frame([root]);
    expect(firstFrames(root).leftOut).toBe(1_025 - MAX_SHOWN);
  });
});

describe('the picture of the network', () => {
  it('has a line for each pair that one of the two names, and none for strangers', () => {
    const node = (id: string | undefined, peerIds: readonly string[] | undefined) => ({
      name: id ?? '',
      isUp: true,
      state: { id, peerIds },
    });
    const nodes = [
      node('a', ['b', 'x', 'a']),
      node('b', ['a']),
      node('c', ['b']),
      node(undefined, undefined),
    ];
    expect(connections(nodes)).toEqual([
      [0, 1],
      [1, 2],
    ]);
  });
});

describe('answers of a node', () => {
  it('that have another form are refused, not shown', () => {
    expect(transactionSchema.safeParse({ hash: '0x12', from: ADDRESS }).success).toBe(false);
    expect(transactionSchema.safeParse({ hash: HASH, from: '<img>' }).success).toBe(false);
  });
});
