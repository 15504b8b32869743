import { describe, expect, it } from '@jest/globals';
import { parseAddress, type Address } from '@tetrad/types';
import { Amnesia, LONGEST_ROUND_MS, OVER, SILENT, STRANGER } from '../test/amnesia.js';
import type { Neighbour, SilenceVerdict } from './silence.js';

/** Half a minute of belief, the block at its end, and five more. */
const LIMIT_S = 30 + 1 + 5;

const claim = (address: Address, head: number): Neighbour => ({ address, head, isUnrecorded: false });
const stranger = (number: number) => parseAddress(`0x${(number + 1).toString(16).padStart(40, 'f')}`);

/** The network makes a block each second, and liars claim what they like, until the silence is over. */
function untilOver(
  node: Amnesia,
  lie: (second: number, head: number) => readonly Neighbour[],
  liars = 0,
): { readonly verdict: SilenceVerdict; readonly seconds: number } {
  for (let seconds = 1; ; seconds++) {
    node.head += 1;
    node.sees(node.head, { count: node.others.length - liars });
    node.peers.push(...lie(seconds, node.head));
    const verdict = node.after(1_000);
    if (verdict.isOver || seconds > 10 * LIMIT_S) return { verdict, seconds };
  }
}

const STRANGERS: Record<string, (second: number, head: number) => readonly Neighbour[]> = {
  'claims a far head': () => [claim(STRANGER, 1_000_000)],
  'raises its claim each second': (second) => [claim(STRANGER, 1_000 * second)],
  'claims the next block each time': (_, head) => [claim(STRANGER, head + 1)],
};

describe('a validator without a record that follows a live network', () => {
  it.each(Object.entries(STRANGERS))('is not kept silent by a stranger that %s', (_, lie) => {
    const { verdict, seconds } = untilOver(new Amnesia(4, 200), lie);
    expect(verdict).toEqual(OVER('followed'));
    expect(seconds).toBeLessThanOrEqual(LIMIT_S);
  });

  it('is not kept silent by strangers that take turns', () => {
    const lie = (second: number, head: number) =>
      Array.from({ length: 40 }, (_, index) => claim(stranger(40 * second + index), head + 100 * index));
    const { verdict, seconds } = untilOver(new Amnesia(4, 200), lie);
    expect(verdict).toEqual(OVER('followed'));
    expect(seconds).toBeLessThanOrEqual(LIMIT_S);
  });

  it.each([4, 7, 10])('of %i is not kept silent by as many validators as may lie and a stranger', (size) => {
    const node = new Amnesia(size, 200);
    const liars = (size - 1) / 3;
    const lie = (second: number) => [
      ...node.others.slice(-liars).map((one, index) => claim(one, 5_000 + second * index)),
      claim(STRANGER, 1_000_000 * second),
    ];
    const { verdict, seconds } = untilOver(node, lie, liars);
    expect(verdict).toEqual(OVER('followed'));
    expect(seconds).toBeLessThanOrEqual(LIMIT_S);
  });

  it('waits for a head that one more than may lie claim, even if no block comes', () => {
    const node = new Amnesia(7, 200).sees(200);
    node.peers = node.peers.map((peer, index) => (index < 3 ? { ...peer, head: 250 } : peer));
    expect(node.after(3_600_000)).toMatchObject(SILENT('behind'));
  });

  it('counts the heads of distinct validators, and not that of its own key', () => {
    const node = new Amnesia(4, 200).sees(200, { count: 2 });
    node.peers.push(claim(node.self, 9_000), claim(node.others[2] as Address, 9_000));
    expect(node.after(0)).toMatchObject(SILENT('behind'));
    expect(node.after(30_000)).toMatchObject(SILENT('silent'));
  });

  it('has the whole half minute for a true head, however long it waited for a quorum', () => {
    const node = new Amnesia(4, 200);
    node.peers = [claim(STRANGER, 230)];
    expect(node.after(100_000)).toMatchObject(SILENT('waiting'));
    node.sees(200).peers.push(claim(STRANGER, 230));
    expect(node.after(1_000)).toMatchObject(SILENT('behind'));
    expect(node.after(29_000)).toMatchObject(SILENT('behind'));
    node.head = 230;
    expect(node.after(900)).toMatchObject({
      ...SILENT('silent'),
      reason: expect.stringContaining('235'),
    });
  });

  it('counts anew when blocks of the past show that a quorum lagged', () => {
    const node = new Amnesia(3, 200).sees(200, { count: 1 });
    expect(node.after(0)).toMatchObject({ ...SILENT('silent'), reason: expect.stringContaining('205') });
    // Its peer found the rest of the network, which is 100 blocks further.
    while (node.head < 300) {
      node.head += 10;
      expect(node.sees(node.head, { count: 1 }).after(500)).toMatchObject(SILENT('silent'));
    }
    expect(node.after(0)).toMatchObject({ reason: expect.stringContaining('305') });
  });

  it('follows slow blocks of the past to their end, and then no longer', () => {
    const node = new Amnesia(4).sees(0);
    const claims = [claim(STRANGER, 1_000_000)];
    // Fifteen seconds of the chain in ten.
    for (; node.head < 300; node.head += 15) {
      node.sees(node.head).peers.push(...claims);
      expect(node.after(10_000)).toMatchObject(SILENT('behind'));
    }
    expect(untilOver(node, () => claims)).toMatchObject({ verdict: OVER('followed') });
  });
});

describe('a validator without which the chain stands', () => {
  it.each([4, 7])('of %i signs in the end although validators that do not vote are heard', (size) => {
    const node = new Amnesia(size, 200).sees(200);
    expect(node.after(1_000)).toMatchObject(SILENT('silent'));
    node.heard = [...node.others];
    expect(node.after(0)).toMatchObject(SILENT('silent'));
    expect(node.after(10 * LONGEST_ROUND_MS - 1)).toMatchObject(SILENT('silent'));
    expect(node.after(1)).toEqual(OVER('needed'));
  });

  it('stays silent while enough are heard even if as many lie as may', () => {
    const node = new Amnesia(6, 200).sees(200);
    node.heard = [...node.others];
    expect(node.after(1_000)).toMatchObject(SILENT('silent'));
    expect(node.after(3_600_000)).toMatchObject(SILENT('silent'));
  });

  it('is kept from it for a bounded time by the heads that strangers and faulty validators claim', () => {
    const node = new Amnesia(4, 200).sees(200, { count: 2 });
    node.peers.push(claim(node.others[2] as Address, 9_000), claim(STRANGER, 9_999));
    node.heard = node.others.slice(0, 2);
    expect(node.after(0)).toMatchObject(SILENT('behind'));
    expect(node.after(30_000)).toMatchObject(SILENT('silent'));
    expect(node.after(2 * LONGEST_ROUND_MS)).toEqual(OVER('needed'));
  });
});
