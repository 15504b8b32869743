import type { StatePartWrite, StateSyncStore } from '@tetrad/node-store';

type Rows<Part extends keyof StatePartWrite> = StatePartWrite[Part][number][];

/** Rows that are given to the store at once. */
const AT_ONCE = 20_000;

/** Rows of a state on their way into the store: some are stored while the next ones are made. */
export class StateRows {
  nodes: Rows<'nodes'> = [];
  codes: Rows<'codes'> = [];
  preimages: Rows<'preimages'> = [];
  flat: Rows<'flat'> = [];
  private storing: Promise<void> = Promise.resolve();

  constructor(private readonly store: Pick<StateSyncStore, 'put'>) {}

  readonly addNode = (hash: Uint8Array, encoded: Uint8Array): void => {
    this.nodes.push({ hash, bytes: encoded });
  };

  /** Stores the rows once they are many, when those before are stored. */
  async flushFull(): Promise<void> {
    if (this.nodes.length + this.flat.length < AT_ONCE) return;
    await this.storing;
    this.begin();
  }

  /** Resolves when all rows are stored. */
  async flush(): Promise<void> {
    await this.storing;
    this.begin();
    await this.storing;
  }

  private begin(): void {
    const { nodes, codes, preimages, flat } = this;
    [this.nodes, this.codes, this.preimages, this.flat] = [[], [], [], []];
    this.storing = this.putAll({ nodes, codes, preimages, flat });
    // It is awaited by the next call.
    this.storing.catch(() => undefined);
  }

  private async putAll({ nodes, codes, preimages, flat }: StatePartWrite): Promise<void> {
    const count = Math.max(nodes.length, flat.length, preimages.length, 1);
    for (let from = 0; from < count; from += AT_ONCE) {
      const to = from + AT_ONCE;
      await this.store.put({
        nodes: nodes.slice(from, to),
        codes: from === 0 ? codes : [],
        preimages: preimages.slice(from, to),
        flat: flat.slice(from, to),
      });
    }
  }
}
