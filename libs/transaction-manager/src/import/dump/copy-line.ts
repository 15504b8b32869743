import { ImportRefusedError } from '../import-refused-error.js';
import { ByteCollector } from './byte-collector.js';
import type { ByteInput } from './byte-input.js';
import { MAX_LITERAL_BYTES } from './sql-lexer.js';
import type { SqlValue } from './sql-value.js';

const [TAB, NEW_LINE, BACKSLASH] = [0x09, 0x0a, 0x5c];

/** Bytes that PostgreSQL writes as a letter after a backslash. */
const ESCAPES = new Map<number, number>(
  (['b\b', 'f\f', 'n\n', 'r\r', 't\t', 'v\v'] as const).map(([letter = '', byte = '']) => [
    letter.charCodeAt(0),
    byte.charCodeAt(0),
  ]),
);

/**
 * A row after `COPY … FROM stdin`: fields separated by tabs, `\N` for null, up to the line end.
 * @param wanted - whether the field at an index is kept; others are null
 * @param options.most - fields of a row
 * @returns undefined for `\.`, after the last row
 * @throws ImportRefusedError when the file ends, a field is too long, or there are too many of them
 */
export async function readCopyLine(
  input: ByteInput,
  wanted: (index: number) => boolean,
  { table, most }: { readonly table: string; readonly most: number },
): Promise<SqlValue[] | undefined> {
  const values: SqlValue[] = [];
  for (;;) {
    const isWanted = wanted(values.length);
    const { raw, isLast } = await readField(input, isWanted);
    if (isLast && values.length === 0 && raw.toString('latin1') === '\\.') return undefined;
    if (values.length === most)
      throw new ImportRefusedError(`byte ${input.position}: a row of ${table} has more than ${most} fields`);
    values.push(isWanted ? toValue(raw) : { kind: 'null' });
    if (isLast) return values;
  }
}

/** A field as it is written. The first two bytes of every field are kept, since they may be the end of the rows. */
async function readField(input: ByteInput, keep: boolean): Promise<{ raw: Buffer; isLast: boolean }> {
  const collected = new ByteCollector(keep ? MAX_LITERAL_BYTES : 2);
  while (await input.has(1)) {
    const { buffered } = input;
    let end = 0;
    while (end < buffered.length && buffered[end] !== TAB && buffered[end] !== NEW_LINE) end += 1;
    const isWithin = collected.add(buffered.subarray(0, end));
    if (!isWithin && keep) throw new ImportRefusedError(`byte ${input.position}: a field is too long`);
    const stop = buffered[end];
    input.skip(end + (stop === undefined ? 0 : 1));
    if (stop !== undefined) return { raw: withoutReturn(collected.collected()), isLast: stop === NEW_LINE };
  }
  throw new ImportRefusedError(`byte ${input.position}: the file ends within the rows of a table`);
}

/** Files that were changed on Windows have a carriage return before each line end. */
function withoutReturn(raw: Buffer): Buffer {
  return raw.at(-1) === 0x0d ? raw.subarray(0, -1) : raw;
}

function toValue(raw: Buffer): SqlValue {
  if (raw.length === 2 && raw[0] === BACKSLASH && raw[1] === 0x4e) return { kind: 'null' };
  const bytes = Buffer.alloc(raw.length);
  let size = 0;
  for (let at = 0; at < raw.length; at += 1, size += 1) {
    if (raw[at] === BACKSLASH && at + 1 < raw.length) {
      at += 1;
      bytes[size] = ESCAPES.get(raw[at] as number) ?? (raw[at] as number);
    } else bytes[size] = raw[at] as number;
  }
  return { kind: 'text', bytes: bytes.subarray(0, size) };
}
