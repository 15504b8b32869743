/** What readers may sort by. */
interface Sortable<Row> {
  readonly title: string;
  readonly sortBy?: (row: Row) => number | bigint | string;
}

/** The column by whose values the rows of a table are sorted. */
export interface Order {
  readonly title: string;
  readonly direction: 'ascending' | 'descending';
}

/** The rows in that order; as they come without one. Rows with the same value stay as they come. */
export function sorted<Row>(
  rows: readonly Row[],
  columns: readonly Sortable<Row>[],
  order: Order | undefined,
): readonly Row[] {
  const sortBy = columns.find(({ title }) => title === order?.title)?.sortBy;
  if (sortBy === undefined) return rows;
  const sign = order?.direction === 'descending' ? -1 : 1;
  const keyed = rows.map((row) => ({ row, key: sortBy(row) }));
  keyed.sort((one, other) => sign * compare(one.key, other.key));
  return keyed.map(({ row }) => row);
}

function compare(one: number | bigint | string, other: number | bigint | string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
