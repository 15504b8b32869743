import { EMPTY_KECCAK } from '@tetrad/crypto';
import {
  decodeAccount,
  flatSlot,
  type FlatEntry,
  type HashedNode,
  type RangeQuestion,
  type StoredAccount,
} from '@tetrad/node-execution';
import { MAX_REQUESTED_RANGES } from '@tetrad/node-peer';
import type { LedgerStore, StatePartWrite } from '@tetrad/node-store';
import { hashToBytes } from '@tetrad/types';
import { Contents, keyOf } from './contents.js';
import { runAtOnce } from './run-at-once.js';
import type { SourcePool } from './source-pool.js';
import { FIRST_KEY, LAST_KEY, keyAfter } from './trie-keys.js';
import type { ReceivedRange } from './verified-source.js';

export interface TakenStateOptions {
  readonly store: {
    readonly stateSync: Pick<LedgerStore['stateSync'], 'put'>;
    readonly findCode: LedgerStore['findCode'];
  };
  readonly pool: SourcePool;
  /** The block whose state is taken, and its root. */
  readonly block: number;
  readonly stateRoot: Uint8Array;
  /** Called with the part of the accounts that is there, from 0 to 1. */
  readonly onProgress: (share: number) => void;
  /** Preimages that are not asked for again; many when absent. */
  readonly rememberedPreimages?: number;
  /** Whether questions have one order whatever takes how long, as the answers in a file have. */
  readonly isOrdered?: boolean | undefined;
}

/** Flat rows that are stored at once. */
const FLAT_ROWS = 8_192;
/** Codes that are fetched before they are stored: one has 128 KiB at most. */
const CODES_AT_ONCE = 64;

const NOTHING = { nodes: [], codes: [], preimages: [], flat: [] };

/** An account of a range. */
interface FoundAccount extends StoredAccount {
  readonly address: Uint8Array;
}

/** A range of accounts, and their addresses by the hex of the hashed ones. */
interface NamedRange {
  readonly range: ReceivedRange;
  readonly names: () => Promise<ReadonlyMap<string, Uint8Array>>;
}

/** A storage trie, and where the next range of it begins; accounts may have equal ones. */
interface Storage {
  readonly root: Uint8Array;
  origin: Uint8Array;
  readonly addresses: Uint8Array[];
}

/**
 * Takes a state from peers, range by range of its accounts: each with its storage, code and preimages before the next one.
 * What is stored is stored with the place to go on from.
 */
export class TakenState {
  private readonly contents: Contents;

  constructor(private readonly options: TakenStateOptions) {
    this.contents = new Contents(options.pool, options.block, options.rememberedPreimages);
  }

  /**
   * Takes all accounts from the place on.
   * @param from - undefined when all are there
   * @throws TargetLostError when no peer has the state
   */
  async run(from: Uint8Array | undefined): Promise<void> {
    let asked = from && this.ask(from);
    try {
      while (asked !== undefined) {
        const named = await asked;
        const next = named.range.hasMore ? keyAfter(named.range) : undefined;
        // The next one comes while this one is stored.
        asked = next && this.ask(next);
        await this.options.store.stateSync.put(await this.accountsOf(named), next);
        this.options.onProgress(next === undefined ? 1 : Buffer.from(next).readUInt32BE(0) / 2 ** 32);
      }
    } finally {
      // Nothing goes on when this fails.
      await asked?.then(({ names }) => names()).catch(() => undefined);
    }
  }

  private ask(origin: Uint8Array): Promise<NamedRange> {
    const asked = this.askRange(origin);
    // It may fail before it is awaited, which sees it then.
    asked.catch(() => undefined);
    return asked;
  }

  private async askRange(origin: Uint8Array): Promise<NamedRange> {
    const { pool, block, stateRoot, isOrdered = false } = this.options;
    const question = { root: stateRoot, origin, limit: LAST_KEY };
    const range = await pool.run(
      block,
      async (source) => (await source.ranges([question]))[0] as ReceivedRange,
    );
    const fetch = () => this.contents.fetchPreimages(range.entries.map(({ key }) => key));
    if (isOrdered) return { range, names: fetch };
    const fetching = fetch();
    fetching.catch(() => undefined);
    return { range, names: () => fetching };
  }

  /** The rows of a range of accounts, once those of their storage and their codes are stored. */
  private async accountsOf({ range, names }: NamedRange): Promise<StatePartWrite> {
    const preimages = await names();
    const accounts = range.entries.map(({ key, value }): FoundAccount => {
      return { ...decodeAccount(value), address: preimages.get(keyOf(key)) as Uint8Array };
    });
    // Before their storage: if another state is taken then, what is stored of theirs is found by it.
    await this.options.store.stateSync.put({ ...NOTHING, preimages: preimageRows(preimages) });
    await this.takeStorage(accounts);
    await this.takeCodes(accounts);
    const flat = range.entries.map(({ value }, index) => {
      return { key: (accounts[index] as FoundAccount).address, value };
    });
    return { ...rowsOf([range], new Map()), codes: [], flat };
  }

  /** Stores the codes of all accounts, of which a range may have thousands. */
  private async takeCodes(accounts: readonly FoundAccount[]): Promise<void> {
    const { store } = this.options;
    const hashes = new Set(accounts.map(({ codeHash }) => codeHash).filter((hash) => hash !== EMPTY_KECCAK));
    const wanted: Uint8Array[] = [];
    for (const hash of [...hashes].map(hashToBytes))
      if ((await store.findCode(hash)) === undefined) wanted.push(hash);
    for (let from = 0; from < wanted.length; from += CODES_AT_ONCE) {
      const found = await this.contents.fetch('code', wanted.slice(from, from + CODES_AT_ONCE));
      const codes = [...found].map(([key, bytes]) => ({ hash: Buffer.from(key, 'hex'), bytes }));
      await store.stateSync.put({ ...NOTHING, codes });
    }
  }

  /** Stores the storage of all accounts. */
  private async takeStorage(accounts: readonly FoundAccount[]): Promise<void> {
    const storages = new Map<string, Storage>();
    for (const { hasStorage, storageRoot, address } of accounts) {
      if (!hasStorage) continue;
      const known = storages.get(storageRoot);
      if (known !== undefined) known.addresses.push(address);
      else
        storages.set(storageRoot, {
          root: hashToBytes(storageRoot),
          origin: FIRST_KEY,
          addresses: [address],
        });
    }
    const waiting = [...storages.values()];
    const work = async () => {
      while (waiting.length > 0) {
        const part = waiting.splice(-MAX_REQUESTED_RANGES);
        waiting.push(...(await this.takeRanges(part)));
      }
    };
    // Some is stored while each peer is asked for more.
    await runAtOnce(this.options.isOrdered === true ? 1 : this.options.pool.width + 1, work);
  }

  /** @returns the storages of which more is to be taken */
  private async takeRanges(storages: readonly Storage[]): Promise<readonly Storage[]> {
    const { pool, block, store } = this.options;
    const questions = storages.map(({ root, origin }): RangeQuestion => ({ root, origin, limit: LAST_KEY }));
    const ranges = await pool.run(block, (source) => source.ranges(questions));
    const preimages = await this.contents.fetchPreimages(
      ranges.flatMap(({ entries }) => entries.map(({ key }) => key)),
    );
    let flat: FlatEntry[] = [];
    for (const [index, { entries }] of ranges.entries())
      for (const address of (storages[index] as Storage).addresses) {
        for (const { key, value } of entries)
          flat.push(flatSlot(address, preimages.get(keyOf(key)) as Uint8Array, value));
        // Contracts with equal storage may be many.
        if (flat.length < FLAT_ROWS) continue;
        await store.stateSync.put({ nodes: [], codes: [], preimages: [], flat });
        flat = [];
      }
    await store.stateSync.put({ ...rowsOf(ranges, preimages), codes: [], flat });
    for (const [index, range] of ranges.entries())
      if (range.hasMore) (storages[index] as Storage).origin = keyAfter(range);
    return storages.filter((_, index) => ranges[index]?.hasMore ?? true);
  }
}

/** The nodes of ranges and the preimages of their keys, each once. */
function rowsOf(
  ranges: readonly ReceivedRange[],
  preimages: ReadonlyMap<string, Uint8Array>,
): Pick<StatePartWrite, 'nodes' | 'preimages'> {
  const nodes = new Map<string, HashedNode>();
  for (const { inside, boundary } of ranges)
    for (const node of [...inside, ...boundary]) nodes.set(keyOf(node.hash), node);
  return {
    nodes: [...nodes.values()].map(({ hash, encoded }) => ({ hash, bytes: encoded })),
    preimages: preimageRows(preimages),
  };
}

function preimageRows(preimages: ReadonlyMap<string, Uint8Array>): StatePartWrite['preimages'] {
  return [...preimages].map(([key, bytes]) => ({ hash: Buffer.from(key, 'hex'), bytes }));
}
