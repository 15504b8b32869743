import { ImportRefusedError } from '../import-refused-error.js';
import { MAX_VALUE_BYTES } from './sql-lexer.js';
import type { SqlValue } from './sql-value.js';

/** Where H2 writes large values in parts, each before the row that names it; in lower case. */
export const PARTS_TABLE = 'system_lob_stream';

/** Most bytes of parts whose rows have not come. */
const MAX_BYTES = 4 * MAX_VALUE_BYTES;
/** Most parts of one value. */
const MAX_PARTS = 100_000;

/** Large values that H2 wrote in parts, until their rows come. */
export class PartedValues {
  private readonly parts = new Map<string, Buffer[]>();
  private bytes = 0;

  /**
   * Takes a part, of the columns `id`, `part` and `bdata`.
   * @throws ImportRefusedError when it is not the next one
   */
  add(valueAt: (column: string) => SqlValue): void {
    const [id, part, data] = ['id', 'part', 'bdata'].map(valueAt);
    if (id?.kind !== 'other' || part?.kind !== 'other')
      throw new ImportRefusedError('the number of a part is missing');
    // Parts of texts, of which no table that is read has any.
    if (data?.kind !== 'bytes') return;
    const others = this.parts.get(id.text) ?? [];
    if (part.text !== String(others.length) || others.length === MAX_PARTS)
      throw new ImportRefusedError(
        `part ${part.text} of value ${id.text} comes after ${others.length} parts`,
      );
    this.bytes += data.bytes.length;
    if (this.bytes > MAX_BYTES) throw new ImportRefusedError(`parts exceed ${MAX_BYTES} bytes in total`);
    others.push(data.bytes);
    this.parts.set(id.text, others);
  }

  /**
   * The value, whose parts are forgotten.
   * @throws ImportRefusedError without parts, or when it is too large
   */
  take(id: string): Buffer {
    const parts = this.parts.get(id);
    if (parts === undefined) throw new ImportRefusedError(`the parts of value ${id} are missing`);
    this.parts.delete(id);
    const whole = Buffer.concat(parts);
    this.bytes -= whole.length;
    if (whole.length > MAX_VALUE_BYTES) throw new ImportRefusedError(`exceeds ${MAX_VALUE_BYTES} bytes`);
    return whole;
  }
}
