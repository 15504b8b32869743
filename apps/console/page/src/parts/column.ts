import type { ReactNode } from 'react';

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers stand at the right, so that digits are below one another. */
  readonly isNumber?: true;
  /** What readers may sort the rows by. */
  readonly sortBy?: (row: Row) => number | bigint | string;
}
