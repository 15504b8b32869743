interface Asked<Row> {
  readonly done: (found: Row | undefined) => void;
  readonly fail: (error: unknown) => void;
}

export interface LookupGroupOptions<Row> {
  /** Statements running at a time; further look-ups gather for the next. */
  readonly statements: number;
  /** When the first look-up starts a statement: `queueMicrotask`, or `setImmediate` for one turn of the event loop. */
  readonly start: (run: () => void) => void;
  /** Reads the rows of the keys; those that do not exist are left out. */
  readonly read: (keys: readonly Buffer[]) => Promise<readonly Row[]>;
  readonly keyOf: (row: Row) => Uint8Array;
}

/** Finds rows by bytes; look-ups that come together become one statement, and several of one row read it once. */
export class LookupGroup<Row> {
  private asked = new Map<string, Asked<Row>[]>();
  private running = 0;
  private scheduled = false;

  constructor(private readonly options: LookupGroupOptions<Row>) {}

  /**
   * Undefined when the row does not exist.
   * @throws as `read`
   */
  find(key: Uint8Array): Promise<Row | undefined> {
    return new Promise((done, fail) => {
      const text = textOf(key);
      const same = this.asked.get(text);
      if (same === undefined) this.asked.set(text, [{ done, fail }]);
      else same.push({ done, fail });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.scheduled || this.asked.size === 0 || this.running === this.options.statements) return;
    this.scheduled = true;
    this.options.start(() => {
      this.scheduled = false;
      void this.run();
    });
  }

  private async run(): Promise<void> {
    const asked = this.asked;
    this.asked = new Map();
    this.running += 1;
    try {
      const { read, keyOf } = this.options;
      const rows = await read([...asked.keys()].map((text) => Buffer.from(text, 'latin1')));
      const found = new Map(rows.map((row) => [textOf(keyOf(row)), row]));
      for (const [text, waiting] of asked) for (const { done } of waiting) done(found.get(text));
    } catch (error) {
      for (const waiting of asked.values()) for (const { fail } of waiting) fail(error);
    } finally {
      this.running -= 1;
      this.schedule();
    }
  }
}

/** Bytes as a map key: one character a byte. */
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
