import type { Ref } from 'react';
import type { Column } from './column.js';

/**
 * A row of a table.
 * @param props.at - its place among all rows of a table that draws some of them, from 0
 */
export function TableRow<Row>(props: {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly at?: number;
  readonly ref?: Ref<HTMLTableRowElement>;
}) {
  const { row, columns, at, ref } = props;
  return (
    // The heading is the first row.
    <tr ref={ref} data-index={at} aria-rowindex={at === undefined ? undefined : at + 2}>
      {columns.map(({ title, cell, isNumber }) => (
        // Its title stands beside it where the heading is not drawn.
        <td key={title} data-title={title} className={isNumber && 'number'}>
          {cell(row)}
        </td>
      ))}
    </tr>
  );
}
