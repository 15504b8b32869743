import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import { Fragment, useCallback } from 'react';
import type { Column } from './column.js';
import { TableRow } from './table-row.js';

/** Height of a row before it is drawn, in px. */
const USUAL_HEIGHT = 33;
/** Rows that are drawn above and below those in sight: a key that moves by one finds the next. */
const BESIDE = 12;

/**
 * The rows of a long table that are in sight, with gaps as high as the others. The one that has the focus stays, wherever it is, with
 * those beside it, so that a reader who scrolls does not lose the place, and the Tab key goes on from there.
 * @param props.box - the element that scrolls
 */
export function LongRows<Row>(props: {
  readonly box: HTMLElement | null;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
}) {
  const { box, rows, columns, keyOf } = props;
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box,
    estimateSize: () => USUAL_HEIGHT,
    overscan: BESIDE,
    // A row keeps its height when others come before it.
    getItemKey: (at) => keyOf(rows[at] as Row),
    rangeExtractor: useCallback((range: Range) => withFocus(range, box), [box]),
  });
  const drawn = virtualizer.getVirtualItems();
  const end = virtualizer.getTotalSize();
  return (
    <>
      {drawn.map(({ key, index, start }, at) => (
        <Fragment key={key}>
          <Gap height={start - (drawn[at - 1]?.end ?? 0)} />
          <TableRow ref={virtualizer.measureElement} row={rows[index] as Row} columns={columns} at={index} />
        </Fragment>
      ))}
      <Gap height={end - (drawn.at(-1)?.end ?? 0)} />
    </>
  );
}

/** Where rows are that are not drawn. */
function Gap({ height }: { readonly height: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true" style={{ height }}>
      <td />
    </tr>
  );
}

/** The rows in sight, and those around the one that has the focus: the Tab key may be quicker than the next drawing. */
function withFocus(range: Range, box: HTMLElement | null): number[] {
  const shown = defaultRangeExtractor(range);
  const row = document.activeElement?.closest('tr');
  const at = box?.contains(row ?? null) === true ? Number(row?.dataset['index'] ?? -1) : -1;
  if (at < 0 || at >= range.count) return shown;
  const focused = defaultRangeExtractor({ ...range, startIndex: at, endIndex: at });
  return [...new Set([...shown, ...focused])].sort((one, other) => one - other);
}
