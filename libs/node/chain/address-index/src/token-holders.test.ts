import { describe, expect, it } from '@jest/globals';
import { keccakHash } from '@tetrad/crypto';
import { ZERO_ADDRESS, parseAddress, type Address, type Hash, type Log } from '@tetrad/types';
import { numberOfPlace, placeOfNumber, type Place } from './place.js';
import { PLACE_OF_NOW, listTokenHolders } from './token-holders.js';

const TRANSFER = keccakHash(Buffer.from('Transfer(address,address,uint256)'));
const addressOf = (number: number) => parseAddress(`0x${number.toString(16).padStart(40, '0')}`);
const TOKEN = addressOf(0x70);
const OTHER_TOKEN = addressOf(0x71);
const topic = (address: Address) => `0x${'00'.repeat(12)}${address.slice(2)}` as Hash;

function transfer(from: Address, to: Address, token = TOKEN): Log {
  return { address: token, topics: [TRANSFER, topic(from), topic(to)], data: new Uint8Array(32) };
}

/** A history of a token with one transaction a block, from block 0 on. */
function partsOf(logs: readonly (readonly Log[])[]) {
  let read = 0;
  const places = logs.map((_, blockNumber) => ({ blockNumber, index: 0 }));
  return {
    read: () => read,
    history: {
      placesBefore: async (_token: Address, before: number, most: number) =>
        places
          .filter((place) => numberOfPlace(place) < before)
          .toReversed()
          .slice(0, most),
    },
    logsAt: async (asked: readonly Place[]) => {
      read += asked.length;
      return asked.map(({ blockNumber }) => logs[blockNumber] ?? []);
    },
  };
}

const newest = (size: number) => ({ before: PLACE_OF_NOW, size });

describe('the holders of a token', () => {
  const [one, two, three] = [addressOf(1), addressOf(2), addressOf(3)];

  it('are the accounts of its transfers once each, those first that moved it last', async () => {
    const parts = partsOf([[transfer(ZERO_ADDRESS, one)], [transfer(one, two)], [transfer(three, one)]]);
    expect(await listTokenHolders(parts, TOKEN, newest(100))).toEqual({
      holders: [
        { address: three, blockNumber: 2 },
        { address: one, blockNumber: 2 },
        { address: two, blockNumber: 1 },
      ],
      read: 3,
      next: undefined,
    });
  });

  it('are none that logs of other contracts name', async () => {
    const parts = partsOf([[transfer(one, two, OTHER_TOKEN), { ...transfer(one, two), topics: [TRANSFER] }]]);
    expect((await listTokenHolders(parts, TOKEN, newest(10))).holders).toEqual([]);
  });

  it('are given in pages of whole transactions that join without a gap', async () => {
    const logs = Array.from({ length: 300 }, (_, index) => [
      transfer(addressOf(1_000 + index), addressOf(2_000 + index)),
      transfer(addressOf(3_000 + index), addressOf(2_000 + index)),
    ]);
    const parts = partsOf(logs);
    const found: Address[] = [];
    for (let before: number | undefined = PLACE_OF_NOW; before !== undefined;) {
      const page = await listTokenHolders(parts, TOKEN, { before, size: 7 });
      if (page.next !== undefined) expect(page.holders.length).toBe(9);
      if (page.next !== undefined) expect(placeOfNumber(page.next).index).toBe(0);
      found.push(...page.holders.map(({ address }) => address));
      before = page.next;
    }
    expect(new Set(found).size).toBe(900);
    expect(found).toHaveLength(900);
  });

  it('are looked for in a thousand transactions and little more, however few there are', async () => {
    const parts = partsOf(Array.from({ length: 3_000 }, () => [transfer(one, two)]));
    const page = await listTokenHolders(parts, TOKEN, newest(50));
    expect(page.holders).toHaveLength(2);
    expect(page.read).toBeLessThan(1_100);
    expect(parts.read()).toBe(page.read);
    expect(page.next).toBe(numberOfPlace({ blockNumber: 3_000 - page.read, index: 0 }));
  });
});
