import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { hashCodec, quantityCodec } from './codecs.js';
import { encodeInPieces, isLong, writeJsonInPieces } from './long-values.js';

const HASH = `0x${'ab'.repeat(32)}`;
const many = <T>(count: number, one: (index: number) => T) =>
  Array.from({ length: count }, (_, at) => one(at));

function counted() {
  let times = 0;
  const giveWay = () => void (times += 1) as undefined;
  return { giveWay, times: () => times };
}

const schema = z.object({
  number: quantityCodec,
  optional: quantityCodec.optional(),
  rewards: z.array(z.array(quantityCodec)).nullable(),
  hashes: z.union([z.array(hashCodec), z.array(z.object({ hash: hashCodec, value: quantityCodec }))]),
  slots: z.record(z.string(), quantityCodec).optional(),
});

const long = {
  number: 7n,
  rewards: many(300, () => many(100, (at) => BigInt(at))),
  hashes: many(500, () => ({ hash: HASH, value: 3n, unknown: 'dropped' })),
  slots: Object.fromEntries(many(1_000, (at) => [`s${at}`, BigInt(at)])),
};

describe('long values', () => {
  it('are those with many elements, at any place', () => {
    expect(
      [7n, 'text', null, undefined, { a: [1, 2], b: { c: 3 } }, new Uint8Array(9_999)].map((one) =>
        isLong(one),
      ),
    ).toEqual([false, false, false, false, false, false]);
    expect(
      [many(65, () => 1), { a: { b: many(65, () => 1) } }, long.slots].map((one) => isLong(one)),
    ).toEqual([true, true, true]);
  });

  it('are encoded as in one piece, giving way for every few elements', async () => {
    const { giveWay, times } = counted();
    const whole = z.encode(schema, long as never);
    expect(await encodeInPieces(schema, long, giveWay)).toEqual(whole);
    // One for each list of a hundred elements at least.
    expect(times()).toBeGreaterThan(300);
    expect(await encodeInPieces(schema, { ...long, rewards: null, slots: undefined }, giveWay)).toEqual(
      z.encode(schema, { ...long, rewards: null, slots: undefined } as never),
    );
  });

  it('of which the schema has several kinds are encoded in pieces by the first that fits', async () => {
    const step = z.object({ at: quantityCodec });
    const kinds = z.union([
      z.object({ text: z.string(), steps: z.array(step).readonly() }),
      z.object({ hash: hashCodec, steps: z.array(step).readonly() }),
      z.array(z.string()).readonly(),
      z.array(step).readonly(),
    ]);
    const steps = many(1_000, (at) => ({ at: BigInt(at) }));
    for (const value of [{ text: 'a', steps }, { hash: HASH, steps }, steps]) {
      const { giveWay, times } = counted();
      expect(await encodeInPieces(kinds, value, giveWay)).toEqual(z.encode(kinds, value as never));
      expect(times()).toBeGreaterThan(10);
    }
    const { giveWay } = counted();
    await expect(encodeInPieces(kinds, { steps }, giveWay)).rejects.toThrow(z.ZodError);
  });

  it('that the schema refuses are refused', async () => {
    const { giveWay } = counted();
    const wrong = { ...long, rewards: many(200, () => ['no quantity']) };
    await expect(encodeInPieces(schema, wrong, giveWay)).rejects.toThrow(z.ZodError);
    const checked = z.array(quantityCodec).max(100);
    await expect(
      encodeInPieces(
        checked,
        many(200, () => 1n),
        giveWay,
      ),
    ).rejects.toThrow(z.ZodError);
  });

  it('are written as JSON.stringify does, giving way in between', async () => {
    const { giveWay, times } = counted();
    const limits = { most: 10_000_000, giveWay, tooLong: () => new Error('too long') };
    for (const value of [
      { a: many(1_000, (at) => ({ at, text: `"${at}"`, absent: undefined })), b: undefined, c: null },
      many(300, (at) => many(at % 70, () => undefined)),
      { empty: [], none: {}, slots: Object.fromEntries(many(200, (at) => [`k${at}`, [at]])) },
      'text',
    ])
      expect(await writeJsonInPieces(value, limits)).toBe(JSON.stringify(value));
    expect(times()).toBeGreaterThan(20);
  });

  it('are not written to their end when they are too long', async () => {
    const { giveWay, times } = counted();
    const value = { list: many(1_000_000, () => 'x') };
    const limits = { most: 10_000, giveWay, tooLong: () => new Error('too long') };
    await expect(writeJsonInPieces(value, limits)).rejects.toThrow('too long');
    expect(times()).toBeLessThan(100);
  });
});
