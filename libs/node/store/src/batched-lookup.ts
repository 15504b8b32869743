import type { Database } from '@tetrad/db';

interface Asked {
  readonly hash: Uint8Array;
  readonly done: (found: Uint8Array | undefined) => void;
  readonly fail: (error: unknown) => void;
}

/** Finds rows by hash; look-ups of the same moment become one statement. */
export class BatchedLookup {
  private asked: Asked[] = [];

  constructor(
    private readonly database: Database,
    private readonly table: { readonly name: 'trie_node' | 'code' | 'preimage'; readonly column: string },
  ) {}

  find(hash: Uint8Array): Promise<Uint8Array | undefined> {
    return new Promise((done, fail) => {
      if (this.asked.length === 0) queueMicrotask(() => void this.run());
      this.asked.push({ hash, done, fail });
    });
  }

  private async run(): Promise<void> {
    const asked = this.asked;
    this.asked = [];
    try {
      const { rows } = await this.database.pool.query<{ hash: Buffer; bytes: Buffer }>({
        name: `find-${this.table.name}`,
        text: `SELECT hash, ${this.table.column} AS bytes FROM ${this.table.name} WHERE hash = ANY($1::bytea[])`,
        values: [asked.map(({ hash }) => Buffer.from(hash))],
      });
      const found = new Map(rows.map(({ hash, bytes }) => [hash.toString('latin1'), bytes]));
      for (const { hash, done } of asked) done(found.get(Buffer.from(hash).toString('latin1')));
    } catch (error) {
      for (const { fail } of asked) fail(error);
    }
  }
}
