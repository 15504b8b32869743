import type { CodeCache, Journal, Word } from '@tetrad/node-evm';
import { TetradError, hashFromBytes, hashToBytes, type Hash, type Metrics } from '@tetrad/types';
import { LRUCache } from 'lru-cache';
import type { FlatSource } from './flat-state.js';
import { NodeCache, type StateSource } from './node-cache.js';
import { RetiringState } from './retiring-state.js';
import { SettledState } from './settled-state.js';
import type { StateChanges } from './state-changes.js';
import { bytesOf } from './state-keys.js';
import type { StateReader } from './state-reader.js';
import { EMPTY_STORAGE_ROOT, type StoredAccount } from './stored-account.js';
import { TrieWorld } from './trie-world.js';
import type { WorldState } from './world-state.js';

/** Bounds of the caches. */
export interface StateCacheLimits {
  /** Bytes of trie nodes. */
  readonly nodeBytes: number;
  /** Bytes of contract code; decoded code may take four times as much. */
  readonly codeBytes: number;
  /** Number of accounts. */
  readonly accounts: number;
  /** Number of storage slots. */
  readonly slots: number;
}

export const DEFAULT_STATE_CACHE_LIMITS: StateCacheLimits = {
  nodeBytes: 128 * 1024 * 1024,
  codeBytes: 16 * 1024 * 1024,
  accounts: 50_000,
  slots: 100_000,
};

/** Each counts as one. With `max` in place of sizes a cache allocates its bound when it is made, for 10 ms and 3 MB at a start. */
const sizeCalculation = () => 1;

/** The root of a state without accounts. */
const EMPTY_ROOT = EMPTY_STORAGE_ROOT;

/** The state root is not stored on this node. */
export class UnknownStateRootError extends TetradError {
  override readonly name = 'UnknownStateRootError';
  override readonly code = 'UNKNOWN_STATE_ROOT';
}

export interface StateDatabaseOptions {
  readonly source: StateSource;
  readonly limits?: StateCacheLimits;
  readonly metrics: Metrics;
  /** The newest root, flat; absent: every read walks a trie. */
  readonly flat?: FlatSource;
  /** Nodes and codes that another state keeps in memory over the same source; absent: those of this state alone. */
  readonly nodes?: NodeCache;
  /** Name of the caches in metrics, where there is more than one state. */
  readonly name?: string;
}

/**
 * Opens worlds at the roots of one state, and keeps what was read in bounded caches.
 *
 * Trie nodes and code are found by hash, so that every root ever stored can be opened. The accounts and slots of the
 * newest root are also cached flat, for executing blocks. Each state has its own newest root; a second state shares the
 * nodes.
 */
export class StateDatabase implements StateReader {
  readonly nodes: NodeCache;
  private readonly accounts: LRUCache<string, { readonly account: StoredAccount | null }>;
  private readonly slots: LRUCache<string, { readonly value: Word }>;
  private newestRoot: Hash | undefined;

  constructor(private readonly options: StateDatabaseOptions) {
    const limits = options.limits ?? DEFAULT_STATE_CACHE_LIMITS;
    this.nodes = options.nodes ?? new NodeCache(options.source, limits);
    this.accounts = new LRUCache({ maxSize: limits.accounts, sizeCalculation });
    this.slots = new LRUCache({ maxSize: limits.slots, sizeCalculation });
  }

  get programs(): CodeCache {
    return this.nodes.programs;
  }

  /**
   * A world at the root.
   * @param journal - of another world, to use both in the same executions
   * @param onMissing - as in RetiringState
   * @throws UnknownStateRootError when its first node is not stored; as `onMissing` does
   */
  async openWorld(root: Hash, journal?: Journal, onMissing?: () => void): Promise<WorldState> {
    const reader = onMissing === undefined ? this : new RetiringState(this, onMissing);
    const known = root === EMPTY_ROOT || root === this.newestRoot;
    if (!known && (await reader.findNode(hashToBytes(root))) === undefined) {
      throw new UnknownStateRootError(`no state with root ${root}`);
    }
    return TrieWorld.at(reader, root, journal);
  }

  /** A world after changes that are not stored. */
  worldAfter(changes: StateChanges): WorldState {
    return TrieWorld.at(new SettledState(this, changes), changes.stateRoot);
  }

  /** Sets the newest root at the start, before any block was adopted: that of the head. */
  resume(root: Hash): void {
    this.newestRoot = root;
  }

  /** Updates the caches after the changes were stored; a world opened at their root reads from memory. */
  adopt(changes: StateChanges): void {
    for (const { hash, encoded } of changes.nodes) this.nodes.addNode(hash, encoded);
    for (const { hash, code } of changes.codes) this.nodes.addCode(hashFromBytes(hash), code);
    if (this.newestRoot !== changes.parentRoot) {
      this.accounts.clear();
      this.slots.clear();
    } else if (changes.touched.cleared.size > 0) {
      this.slots.clear();
    }
    this.newestRoot = changes.stateRoot;
    for (const [address, changed] of changes.touched.accounts)
      this.accounts.set(address, { account: changed?.account ?? null });
    for (const [slot, value] of changes.touched.slots) this.slots.set(slot, { value });
    this.report();
  }

  cachedNode(hash: Uint8Array): Uint8Array | undefined {
    return this.nodes.cachedNode(hash);
  }

  findNode(hash: Uint8Array): Promise<Uint8Array | undefined> {
    return this.nodes.findNode(hash);
  }

  cachedCode(hash: Hash): Uint8Array | undefined {
    return this.nodes.cachedCode(hash);
  }

  readCode(hash: Hash): Promise<Uint8Array> {
    return this.nodes.readCode(hash);
  }

  findPreimage(hash: Uint8Array): Promise<Uint8Array | undefined> {
    return this.nodes.findPreimage(hash);
  }

  async findFlat(root: Hash, key: string): Promise<Uint8Array | null | undefined> {
    return this.newestRoot === root ? this.options.flat?.find(root, bytesOf(key)) : undefined;
  }

  cachedAccount(root: Hash, address: string): StoredAccount | null | undefined {
    return this.newestRoot === root ? this.accounts.get(address)?.account : undefined;
  }

  cachedSlot(root: Hash, slot: string): Word | undefined {
    return this.newestRoot === root ? this.slots.get(slot)?.value : undefined;
  }

  rememberAccount(root: Hash, address: string, account: StoredAccount | null): void {
    if (this.newestRoot === root) this.accounts.set(address, { account });
  }

  rememberSlot(root: Hash, slot: string, value: Word): void {
    if (this.newestRoot === root) this.slots.set(slot, { value });
  }

  private report(): void {
    const { metrics, name = '' } = this.options;
    const gauge = metrics.gauge('node_state_cache_entries', 'Entries in the state caches', ['cache']);
    const { nodes, codes } = this.nodes.sizes;
    gauge.set(nodes, { cache: 'nodes' });
    gauge.set(codes, { cache: 'codes' });
    gauge.set(this.accounts.size, { cache: `${name}accounts` });
    gauge.set(this.slots.size, { cache: `${name}slots` });
  }
}
