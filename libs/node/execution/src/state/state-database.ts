import type { Account } from '@ethereumjs/util';
import { hashFromBytes, hashToBytes, hexFromBytes, type Hash, type Metrics } from '@tetrad/types';
import { LRUCache } from 'lru-cache';
import { SettledState } from './settled-state.js';
import type { StateChanges } from './state-changes.js';
import { keyOf } from './state-keys.js';
import type { StateReader } from './state-reader.js';
import { EMPTY_TRIE_ROOT, MissingTrieNodeError } from './trie.js';
import { WorldState } from './world-state.js';

/** Content-addressed reads that execution needs; the node's store implements it. */
export interface StateSource {
  findNode(hash: Uint8Array): Promise<Uint8Array | undefined>;
  findCode(hash: Uint8Array): Promise<Uint8Array | undefined>;
  /** What a hashed trie key stands for: an address or a storage slot. */
  findPreimage(hash: Uint8Array): Promise<Uint8Array | undefined>;
}

/** Bounds of the caches. */
export interface StateCacheLimits {
  /** Bytes of trie nodes. */
  readonly nodeBytes: number;
  /** Bytes of contract code. */
  readonly codeBytes: number;
  readonly accounts: number;
  readonly slots: number;
}

export const DEFAULT_STATE_CACHE_LIMITS: StateCacheLimits = {
  nodeBytes: 64 * 1024 * 1024,
  codeBytes: 16 * 1024 * 1024,
  accounts: 50_000,
  slots: 100_000,
};

const EMPTY_ROOT = hashFromBytes(EMPTY_TRIE_ROOT);

/** The state root is not one this node has. */
export class UnknownStateRootError extends Error {
  override readonly name = 'UnknownStateRootError';
}

/**
 * Opens worlds at state roots, and keeps what was read in bounded caches.
 *
 * Trie nodes and code are found by hash, so that every root ever stored can be opened. The accounts and slots of
 * the newest root are cached flat on top, which is what executing blocks reads.
 */
export class StateDatabase implements StateReader {
  private readonly nodes: LRUCache<string, Uint8Array>;
  private readonly codes: LRUCache<string, Uint8Array>;
  private readonly accounts: LRUCache<string, { account: Account | null }>;
  private readonly slots: LRUCache<string, Uint8Array>;
  private newestRoot: Hash | undefined;

  constructor(
    private readonly options: { source: StateSource; limits?: StateCacheLimits; metrics: Metrics },
  ) {
    const limits = options.limits ?? DEFAULT_STATE_CACHE_LIMITS;
    const sizeCalculation = (bytes: Uint8Array) => bytes.length + 100;
    this.nodes = new LRUCache({ maxSize: limits.nodeBytes, sizeCalculation });
    this.codes = new LRUCache({ maxSize: limits.codeBytes, sizeCalculation });
    this.accounts = new LRUCache({ max: limits.accounts });
    this.slots = new LRUCache({ max: limits.slots });
  }

  /** A world at the root. Fails: UnknownStateRootError when its first node is not stored. */
  async openWorld(root: Hash): Promise<WorldState> {
    const known = root === EMPTY_ROOT || root === this.newestRoot;
    if (!known && (await this.findNode(hashToBytes(root))) === undefined) {
      throw new UnknownStateRootError(`no state with root ${root}`);
    }
    return new WorldState(this, root);
  }

  /** A world after changes that are not stored. */
  worldAfter(changes: StateChanges): WorldState {
    return new WorldState(new SettledState(this, changes), changes.stateRoot);
  }

  /** Tells the caches that the changes were stored; a world opened at their root reads from memory. */
  adopt(changes: StateChanges): void {
    for (const { hash, encoded } of changes.nodes) this.nodes.set(keyOf(hash), encoded);
    for (const { hash, code } of changes.codes) this.codes.set(keyOf(hash), code);
    if (this.newestRoot !== changes.parentRoot) {
      this.accounts.clear();
      this.slots.clear();
    } else if (changes.touched.clearedStorage) {
      this.slots.clear();
    }
    this.newestRoot = changes.stateRoot;
    for (const [address, account] of changes.touched.accounts) this.accounts.set(address, { account });
    for (const [slot, value] of changes.touched.slots) this.slots.set(slot, value);
    this.report();
  }

  async findNode(hash: Uint8Array): Promise<Uint8Array | undefined> {
    const key = keyOf(hash);
    const cached = this.nodes.get(key);
    if (cached !== undefined) return cached;
    const encoded = await this.options.source.findNode(hash);
    if (encoded !== undefined) this.nodes.set(key, encoded);
    return encoded;
  }

  async readCode(hash: Uint8Array): Promise<Uint8Array> {
    const key = keyOf(hash);
    const cached = this.codes.get(key);
    if (cached !== undefined) return cached;
    const code = await this.options.source.findCode(hash);
    if (code === undefined) throw new MissingTrieNodeError(`no code ${hexFromBytes(hash)}`);
    this.codes.set(key, code);
    return code;
  }

  findPreimage(hash: Uint8Array): Promise<Uint8Array | undefined> {
    return this.options.source.findPreimage(hash);
  }

  cachedAccount(root: Hash, address: string): { account: Account | null } | undefined {
    return this.newestRoot === root ? this.accounts.get(address) : undefined;
  }

  cachedSlot(root: Hash, slot: string): Uint8Array | undefined {
    return this.newestRoot === root ? this.slots.get(slot) : undefined;
  }

  rememberAccount(root: Hash, address: string, account: Account | null): void {
    if (this.newestRoot === root) this.accounts.set(address, { account });
  }

  rememberSlot(root: Hash, slot: string, value: Uint8Array): void {
    if (this.newestRoot === root) this.slots.set(slot, value);
  }

  private report(): void {
    const gauge = this.options.metrics.gauge('node_state_cache_entries', 'Entries in the state caches', [
      'cache',
    ]);
    gauge.set(this.nodes.size, { cache: 'nodes' });
    gauge.set(this.codes.size, { cache: 'codes' });
    gauge.set(this.accounts.size, { cache: 'accounts' });
    gauge.set(this.slots.size, { cache: 'slots' });
  }
}
