import { describe, expect, it } from '@jest/globals';
import type { AddressRow } from '@tetrad/node-store';
import { SCOPE } from './address-key.js';
import { ROLE, decodeEntries } from './entries.js';
import { ENTRIES_OF_ROW, OpenRows } from './open-rows.js';
import { numberOfPlace } from './place.js';

const entry = (key: bigint, blockNumber: number, roles: number = ROLE.sent) => ({
  scope: SCOPE.public,
  key,
  place: numberOfPlace({ blockNumber, index: blockNumber % 3 }),
  roles,
});

/** Rows as a table keeps them. */
function table() {
  const stored = new Map<string, AddressRow>();
  const nameOf = ({ scope, key, first }: AddressRow) => `${scope} ${key} ${first}`;
  const open = () =>
    new OpenRows(async (scope, keys) =>
      keys.flatMap((key) => {
        const own = [...stored.values()].filter((row) => row.scope === scope && row.key === key);
        return own.sort((one, other) => other.first - one.first).slice(0, 1);
      }),
    );
  return {
    stored,
    open,
    async write(rows: OpenRows, entries: Parameters<OpenRows['add']>[0]) {
      for (const row of await rows.add(entries)) stored.set(nameOf(row), row);
      rows.settle();
    },
  };
}

describe('the newest rows of addresses', () => {
  it('grow until they are full, over batches and a new start, and count what was sent before', async () => {
    const { stored, open, write } = table();
    let rows = open();
    const blocks = Array.from({ length: 3 * ENTRIES_OF_ROW }, (_, number) => number);
    for (let from = 0; from < blocks.length; from += 50) {
      // A process that ends forgets them.
      if (from % 100 === 0) rows = open();
      const batch = blocks.slice(from, from + 50);
      await write(
        rows,
        batch.map((number) => entry(1n, number, number % 2 === 0 ? ROLE.sent : ROLE.moved)),
      );
    }
    const all = [...stored.values()].sort((one, other) => one.first - other.first);
    expect(all.map(({ sentBefore }) => sentBefore)).toEqual([0, ENTRIES_OF_ROW / 2, ENTRIES_OF_ROW]);
    expect(all.map(({ roles }) => roles)).toEqual(all.map(() => ROLE.sent | ROLE.moved));
    const places = all
      .flatMap(({ first, entries }) => decodeEntries(first, entries))
      .map(({ place }) => place);
    expect(places).toEqual(blocks.map((number) => entry(1n, number).place));
  });

  it('are filled several at a time within one batch', async () => {
    const { stored, open, write } = table();
    const count = 5 * ENTRIES_OF_ROW + 1;
    await write(
      open(),
      Array.from({ length: count }, (_, number) => entry(7n, number)),
    );
    expect(stored.size).toBe(6);
    const last = [...stored.values()].at(-1);
    expect(last).toMatchObject({ sentBefore: 5 * ENTRIES_OF_ROW });
  });

  it('take few bytes for each transaction', async () => {
    const { stored, open, write } = table();
    await write(
      open(),
      Array.from({ length: 10_000 }, (_, number) => entry(BigInt(number % 4), 3 * number)),
    );
    const bytes = [...stored.values()].reduce((sum, { entries }) => sum + entries.length, 0);
    expect(bytes / 10_000).toBeLessThan(4);
  });
});
