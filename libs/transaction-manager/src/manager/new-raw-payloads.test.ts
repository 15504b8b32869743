import { describe, expect, it } from '@jest/globals';
import { NewRawPayloads } from './new-raw-payloads.js';

const hashOf = (index: number) => Uint8Array.of(index >> 8, index & 255);
const LONG_MS = 1_000_000;

describe('new raw payloads', () => {
  it('are those after a place; the first question gives the place alone', async () => {
    const raws = new NewRawPayloads();
    for (const index of [1, 2, 3]) raws.add(hashOf(index));
    expect(await raws.since(undefined, 0)).toEqual({ last: 3, hashes: [] });
    expect(await raws.since(1, 0)).toEqual({ last: 3, hashes: [hashOf(2), hashOf(3)] });
    expect(await raws.since(3, 0)).toEqual({ last: 3, hashes: [] });
  });

  it('are waited for, and go together when they are stored in one turn', async () => {
    const raws = new NewRawPayloads();
    const waiting = [raws.since(0, LONG_MS), raws.since(0, LONG_MS)];
    for (const index of [1, 2]) raws.add(hashOf(index));
    const both = { last: 2, hashes: [hashOf(1), hashOf(2)] };
    expect(await Promise.all(waiting)).toEqual([both, both]);
  });

  it('are at most 64, the newest, for a node that lags or knew another process', async () => {
    const raws = new NewRawPayloads();
    for (let index = 1; index <= 2_000; index += 1) raws.add(hashOf(index));
    const { last, hashes } = await raws.since(3, 0);
    expect([last, hashes.length, hashes[0]]).toEqual([2_000, 64, hashOf(1_937)]);
    expect(await raws.since(9_000, LONG_MS)).toEqual({ last: 2_000, hashes: [] });
  });

  it('are not waited for beyond 64 requests, nor at the end', async () => {
    const raws = new NewRawPayloads();
    const waiting = Array.from({ length: 64 }, () => raws.since(0, LONG_MS));
    expect(await raws.since(0, LONG_MS)).toEqual({ last: 0, hashes: [] });
    raws.close();
    expect(await Promise.all(waiting)).toHaveLength(64);
    expect(await raws.since(0, LONG_MS)).toEqual({ last: 0, hashes: [] });
  });
});
