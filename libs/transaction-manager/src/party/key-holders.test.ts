import { expect, it } from '@jest/globals';
import type { PtmKey } from '@tetrad/types';
import { KeyHolders } from './key-holders.js';

const [PEER, NEWCOMER] = ['http://peer/', 'http://newcomer/'] as const;
const DAY_MS = 24 * 3_600_000;
const HOST = '192.0.2.1';

/** Without the private one: making so many pairs takes long. */
function keyOf(index: number): PtmKey {
  const bytes = Buffer.alloc(32);
  bytes.writeUInt32BE(index + 1);
  return bytes.toString('base64') as PtmKey;
}

const at = (url: string, bound = true) => ({ url, bound, active: true });

function clocked() {
  const clock = { nowMs: 0 };
  return {
    clock,
    holders: new KeyHolders(
      (url) => url === PEER,
      () => clock.nowMs,
    ),
  };
}

/** Fills the room for strangers, each host with as many as it may have. */
function fill(holders: KeyHolders): number {
  let count = 0;
  for (let host = 1; host <= 11; host += 1)
    while (holders.set(keyOf(count), at(`http://stranger-${host}/`), `198.51.100.${host}`).fits) count += 1;
  return count;
}

it('one host takes a tenth of the room for strangers, whatever names and paths it gives', () => {
  const { holders } = clocked();
  let count = 0;
  const own = () => at(`http://name-${count}.example/${count}/`);
  while (holders.set(keyOf(count), own(), `::ffff:${HOST}`).fits) count += 1;
  expect(count).toBe(1_000);
  expect(holders.set(keyOf(count), own(), HOST)).toEqual({ fits: false });
  expect(holders.set(keyOf(count), at(NEWCOMER), '192.0.2.2').fits).toBe(true);
  expect(holders.set(keyOf(0), at('http://moved/'), HOST).fits).toBe(true);
  expect(holders.set(keyOf(count + 1), at(PEER), HOST).fits).toBe(true);
});

it('a host whose key another one takes over brings no more for it', () => {
  const { holders } = clocked();
  for (let index = 0; index < 1_000; index += 1) holders.set(keyOf(index), at('http://a/'), HOST);
  for (let index = 0; index < 1_000; index += 1) holders.set(keyOf(index), at('http://b/'), '192.0.2.2');
  expect(holders.set(keyOf(1_000), at('http://a/'), HOST).fits).toBe(false);
});

it('the key that was not announced for the longest time gives way, after a day', () => {
  const { clock, holders } = clocked();
  expect(fill(holders)).toBe(10_000);
  holders.retire('http://stranger-1/');
  const late = keyOf(20_000);
  clock.nowMs = DAY_MS - 1;
  expect(holders.set(late, at(NEWCOMER), HOST)).toEqual({ fits: false });
  for (let index = 0; index < 1_000; index += 1) if (index !== 7) holders.hearOf(keyOf(index));
  clock.nowMs = DAY_MS;
  holders.hearOf(keyOf(1_001));
  const fits = (key: PtmKey) => holders.set(key, at(NEWCOMER), HOST);
  expect(fits(late)).toEqual({ fits: true, forgotten: keyOf(7) });
  expect(fits(keyOf(20_001))).toEqual({ fits: true, forgotten: keyOf(1_000) });
  expect(fits(keyOf(20_002))).toEqual({ fits: true, forgotten: keyOf(1_002) });
  expect([7, 1_000, 1_001].map((index) => holders.get(keyOf(index))?.url)).toEqual([
    undefined,
    undefined,
    'http://stranger-2/',
  ]);
});

it('a key of a configured manager gives no way', () => {
  const { clock, holders } = clocked();
  holders.set(keyOf(30_000), at(PEER, false));
  holders.retire(PEER);
  const count = fill(holders);
  clock.nowMs = DAY_MS;
  for (let index = 0; index < count; index += 1) holders.hearOf(keyOf(index));
  expect(holders.set(keyOf(20_000), at(NEWCOMER), HOST)).toEqual({ fits: false });
  expect(holders.get(keyOf(30_000))?.url).toBe(PEER);
});
