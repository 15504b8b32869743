import { ImportRefusedError } from '../import-refused-error.js';

/** Bytes at either end of a dump in which programs name themselves, and say that they are done. */
const END_BYTES = 4_096;

/** What programs write first and last; a dump that begins so and does not end so was cut off between two statements. */
const PAIRS: readonly (readonly [first: string, last: string])[] = [
  ['-- PostgreSQL database dump\n', '-- PostgreSQL database dump complete'],
  ['-- MySQL dump', '-- Dump completed'],
  ['-- MariaDB dump', '-- Dump completed'],
];

/** Passes on the bytes of a dump, and remembers its two ends. */
export class DumpEnds {
  private head = Buffer.alloc(0);
  private tail = Buffer.alloc(0);

  constructor(private readonly chunks: AsyncIterable<Uint8Array>) {}

  async *all(): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.chunks) {
      if (this.head.length < END_BYTES)
        this.head = Buffer.concat([this.head, chunk.subarray(0, END_BYTES - this.head.length)]);
      this.tail = Buffer.concat([this.tail.subarray(-END_BYTES), chunk.subarray(-END_BYTES)]);
      yield chunk;
    }
  }

  /** @throws ImportRefusedError when the last line of the program is missing; to be called after `all` has ended */
  assertComplete(): void {
    const head = this.head.toString('latin1').replaceAll('\r', '');
    const tail = this.tail.toString('latin1');
    for (const [first, last] of PAIRS)
      if (head.includes(first) && !tail.includes(last))
        throw new ImportRefusedError(`the file ends early: it has no line "${last}"`);
  }
}
