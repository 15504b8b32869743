import { describe, expect, it } from '@jest/globals';
import type { Address } from '@tetrad/types';
import { Amnesia, LONGEST_ROUND_MS, OVER, SILENT, STRANGER, addresses } from '../test/amnesia.js';

describe('a validator without a record in a new network', () => {
  it('signs at once when it is alone and expects no peers', () => {
    expect(new Amnesia(1).after(0)).toEqual(OVER('newNetwork'));
  });

  it.each([2, 3, 4, 7])('of %i signs as soon as a quorum is at block 0', (size) => {
    const quorum = Math.ceil((2 * size) / 3);
    const node = new Amnesia(size);
    expect(node.after(0)).toMatchObject(SILENT('waiting'));
    expect(node.sees(0, { count: quorum - 2 }).after(1_000)).toMatchObject(SILENT('waiting'));
    expect(node.sees(0, { count: quorum - 1 }).after(1_000)).toEqual(OVER('newNetwork'));
  });

  it('signs in the end where its peers only relay', () => {
    const node = new Amnesia(4);
    node.peers = [{ address: STRANGER, head: 0, isUnrecorded: false }];
    expect(node.after(60_000)).toMatchObject(SILENT('waiting'));
    expect(node.after(60_000)).toEqual(OVER('newNetwork'));
  });

  it('is held up for a bounded time by a peer that claims a head and has no blocks', () => {
    const node = new Amnesia(4).sees(0);
    node.peers.push({ address: STRANGER, head: 1_000_000, isUnrecorded: false });
    expect(node.after(1_000)).toMatchObject(SILENT('behind'));
    expect(node.after(29_999)).toMatchObject(SILENT('behind'));
    expect(node.after(1)).toEqual(OVER('newNetwork'));
  });

  it('is held up for a bounded time by as many lying validators as may be faulty', () => {
    const node = new Amnesia(7).sees(0);
    node.peers = node.peers.map((peer, index) => (index < 2 ? { ...peer, head: 9_999 } : peer));
    expect(node.after(1_000)).toMatchObject(SILENT('behind'));
    expect(node.after(29_999)).toMatchObject(SILENT('behind'));
    expect(node.after(1)).toEqual(OVER('newNetwork'));
  });

  it('takes the blocks of a peer that has some, when all validators have lost theirs', () => {
    const node = new Amnesia(4).sees(0);
    node.peers.push({ address: STRANGER, head: 500, isUnrecorded: false });
    for (node.head = 1; node.head < 500; node.head += 50)
      expect(node.after(20_000)).toMatchObject(SILENT('behind'));
    node.head = 500;
    node.peers = [...node.sees(500, { isUnrecorded: true }).peers];
    expect(node.after(1_000)).toEqual(OVER('noneRecorded'));
  });
});

describe('a validator that lost its database', () => {
  it('follows the others, and is silent for the open height and four after', () => {
    const node = new Amnesia(4).sees(200);
    expect(node.after(1_000)).toMatchObject(SILENT('behind'));
    expect(node.after(600_000)).toMatchObject(SILENT('behind'));
    for (node.head = 200; node.head <= 204; node.head++) {
      node.sees(node.head);
      expect(node.after(1_000)).toMatchObject({
        ...SILENT('silent'),
        reason: expect.stringContaining('205'),
      });
    }
    expect(node.after(1_000)).toEqual(OVER('followed'));
  });

  it('does not take its own head for that of the network before it knows a quorum', () => {
    const node = new Amnesia(4).sees(0, { count: 1 });
    expect(node.after(119_000)).toMatchObject(SILENT('waiting'));
    expect(node.sees(200).after(0)).toMatchObject(SILENT('behind'));
  });

  it('stays silent while the others lack a quorum, and when they have it again', () => {
    const node = new Amnesia(4, 200).sees(200, { count: 2 });
    expect(node.after(1_000)).toMatchObject(SILENT('silent'));
    node.sees(200, { count: 1 }).heard = [node.others[0] as Address];
    expect(node.after(3_600_000)).toMatchObject(SILENT('silent'));
    node.sees(200).heard = [...node.others];
    expect(node.after(3_600_000)).toMatchObject(SILENT('silent'));
  });

  it.each([3, 4, 7])('of %i signs in the end when no quorum is there without it', (size) => {
    const node = new Amnesia(size, 200).sees(200);
    // The rest has lost its records too, or is connected and does not take part.
    node.heard = node.others.slice(0, Math.ceil((2 * size) / 3) - 1);
    expect(node.after(1_000)).toMatchObject(SILENT('silent'));
    expect(node.after(2 * LONGEST_ROUND_MS - 1)).toMatchObject(SILENT('silent'));
    expect(node.after(1)).toEqual(OVER('needed'));
  });

  it('of two signs soon, as the chain stands until it does', () => {
    const node = new Amnesia(2, 200).sees(200);
    node.heard = [...node.others];
    expect(node.after(1_000)).toMatchObject(SILENT('silent'));
    expect(node.after(5_000)).toEqual(OVER('needed'));
  });

  it('does not sign below what the others have when it cannot follow them any more', () => {
    const node = new Amnesia(4, 200).sees(200);
    expect(node.after(1_000)).toMatchObject(SILENT('silent'));
    expect(node.sees(202).after(3_600_000)).toMatchObject(SILENT('silent'));
  });
});

describe('a network that begins without records above block 0', () => {
  it('signs at once when all of it is there, as after it was moved or restored as a whole', () => {
    const node = new Amnesia(4, 5_000).sees(5_000, { isUnrecorded: true });
    expect(node.after(0)).toEqual(OVER('noneRecorded'));
    const alone = new Amnesia(1, 5_000);
    // Its peers may have newer blocks.
    expect(alone.after(0)).toMatchObject(SILENT('waiting'));
    expect(alone.after(5_000)).toEqual(OVER('noneRecorded'));
  });

  it('waits for the rest for a bounded time when a quorum is there', () => {
    const node = new Amnesia(4, 5_000).sees(5_000, { count: 2, isUnrecorded: true });
    expect(node.after(0)).toMatchObject(SILENT('silent'));
    expect(node.after(30_000)).toEqual(OVER('noneRecorded'));
  });

  it('is silent while one has a record, or stands elsewhere', () => {
    const node = new Amnesia(4, 5_000).sees(5_000, { isUnrecorded: true });
    node.peers[0] = { address: node.others[0] as Address, head: 5_000, isUnrecorded: false };
    expect(node.after(60_000)).toMatchObject(SILENT('silent'));
    node.peers[0] = { address: node.others[0] as Address, head: 4_999, isUnrecorded: true };
    expect(node.after(0)).toMatchObject(SILENT('silent'));
  });
});

describe('a node that is not a validator', () => {
  it('keeps a record once it has followed, so that it may sign when it is voted in', () => {
    const node = new Amnesia(4, 0);
    (node as { validators: readonly Address[] }).validators = addresses(5).slice(1);
    node.peers = node.validators.map((address) => ({ address, head: 100, isUnrecorded: false }));
    expect(node.after(0)).toMatchObject(SILENT('behind'));
    node.head = 100;
    expect(node.after(1_000)).toMatchObject(SILENT('silent'));
    node.head = 105;
    expect(node.after(1_000)).toEqual(OVER('followed'));
  });
});
