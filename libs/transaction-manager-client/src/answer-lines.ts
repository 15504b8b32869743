/** Bytes of one line: a thousand keys, or the longest text that is passed on. */
const MAX_LINE_BYTES = 128 * 1_024;

const LINE_END = 0x0a;

/** Cuts an answer that comes in pieces into lines. */
export class AnswerLines {
  private rest: Buffer = Buffer.alloc(0);

  /** @param take - gets each line without its end; what it throws ends the answer */
  constructor(private readonly take: (line: Buffer) => void) {}

  /** @throws RangeError for a line that is too long; as `take` */
  add(piece: Buffer): void {
    const bytes = this.rest.length === 0 ? piece : Buffer.concat([this.rest, piece]);
    let start = 0;
    for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, start)) {
      if (end - start > MAX_LINE_BYTES) throw tooLong();
      this.take(bytes.subarray(start, end));
      start = end + 1;
    }
    this.rest = bytes.subarray(start);
    if (this.rest.length > MAX_LINE_BYTES) throw tooLong();
  }
}

function tooLong(): RangeError {
  return new RangeError(`a line of the answer exceeds ${MAX_LINE_BYTES} bytes`);
}
