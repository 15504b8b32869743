import { describe, expect, it } from '@jest/globals';
import { sorted } from '../page/src/parts/order.js';

const columns = [
  { title: 'Name', cell: () => null, sortBy: ({ name }: Row) => name },
  { title: 'Coins', cell: () => null, sortBy: ({ coins }: Row) => coins },
  { title: 'Code', cell: () => null },
];
interface Row {
  readonly name: string;
  readonly coins: bigint;
}
const rows: readonly Row[] = [
  { name: 'b', coins: 10n ** 30n },
  { name: 'a', coins: 2n },
  { name: 'c', coins: 2n },
];
const names = (title: string, direction: 'ascending' | 'descending') =>
  sorted(rows, columns, { title, direction }).map(({ name }) => name);

describe('rows of a table', () => {
  it('are sorted by the values of a column, and stay as they come where these are the same', () => {
    expect(names('Name', 'ascending')).toEqual(['a', 'b', 'c']);
    expect(names('Coins', 'ascending')).toEqual(['a', 'c', 'b']);
    expect(names('Coins', 'descending')).toEqual(['b', 'a', 'c']);
  });

  it('stay as they come without an order, or with one of a column that has none', () => {
    expect(sorted(rows, columns, undefined)).toBe(rows);
    expect(names('Code', 'ascending')).toEqual(['b', 'a', 'c']);
  });
});
