import { useState } from 'react';
import type { Column } from './column.js';
import { LongRows } from './long-rows.js';
import { sorted, type Order } from './order.js';
import { TableRow } from './table-row.js';

/** Rows from which on only those in sight are drawn. */
const MANY = 200;

/**
 * A table, in a narrow window a list of its rows; it scrolls in itself when it has many rows.
 * @param props.empty - what is said in place of a table without rows
 */
export function Table<Row>(props: {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly empty: string;
}) {
  const { caption, columns, keyOf, empty } = props;
  const [order, setOrder] = useState<Order>();
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const rows = sorted(props.rows, columns, order);
  const isLong = rows.length > MANY;
  if (rows.length === 0) return <NoRows caption={caption} text={empty} />;
  return (
    <div
      ref={setBox}
      className={isLong ? 'scrolls long' : 'scrolls'}
      role="region"
      aria-label={caption}
      tabIndex={0}
    >
      <table aria-rowcount={isLong ? rows.length + 1 : undefined}>
        <caption>{caption}</caption>
        <thead>
          <tr aria-rowindex={isLong ? 1 : undefined}>
            {columns.map((column) => (
              <Heading key={column.title} column={column} order={order} onOrder={setOrder} />
            ))}
          </tr>
        </thead>
        <tbody>
          {isLong ? (
            <LongRows box={box} rows={rows} columns={columns} keyOf={keyOf} />
          ) : (
            rows.map((row) => <TableRow key={keyOf(row)} row={row} columns={columns} />)
          )}
        </tbody>
      </table>
    </div>
  );
}

const NoRows = ({ caption, text }: { readonly caption: string; readonly text: string }) => (
  <div role="region" aria-label={caption}>
    <p className="caption">{caption}</p>
    <p className="empty">{text}</p>
  </div>
);

function Heading<Row>(props: {
  readonly column: Column<Row>;
  readonly order: Order | undefined;
  readonly onOrder: (order: Order) => void;
}) {
  const { title, isNumber, sortBy } = props.column;
  const direction = props.order?.title === title ? props.order.direction : undefined;
  const next = direction === 'ascending' ? 'descending' : 'ascending';
  return (
    <th scope="col" className={isNumber && 'number'} aria-sort={direction}>
      {sortBy === undefined ? (
        title
      ) : (
        <button type="button" onClick={() => props.onOrder({ title, direction: next })}>
          {title}
          <span aria-hidden="true">
            {direction === undefined ? '' : direction === 'ascending' ? ' ↑' : ' ↓'}
          </span>
        </button>
      )}
    </th>
  );
}
