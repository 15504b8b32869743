import { keccak256 } from '@tetrad/crypto';
import { TetradError, silentMetrics } from '@tetrad/types';
import type { StateSource } from './node-cache.js';
import { StateDatabase } from './state-database.js';
import { keyOf } from './state-keys.js';

/** What an execution read of a state, found by hash: it proves the outcome to a node that knows the state root alone. */
export interface StateWitness {
  /** Encoded trie nodes, in any order. */
  readonly nodes: readonly Uint8Array[];
  readonly codes: readonly Uint8Array[];
}

/** Of the nodes, and of the codes. */
export interface WitnessBounds {
  readonly count: number;
  readonly bytes: number;
}

/** The execution reads more than a witness may have, or another node's witness has more. */
export class WitnessTooLargeError extends TetradError {
  override readonly name = 'WitnessTooLargeError';
  override readonly code = 'WITNESS_TOO_LARGE';
}

/** A database of its own reads from the source once, so that nothing comes from caches that the source does not see. */
const LIMITS = { nodeBytes: 1 << 20, codeBytes: 1 << 20, accounts: 1, slots: 1 };

/** Bounded content by its hash. */
class HashedContent {
  private readonly found = new Map<string, Uint8Array>();
  private bytes = 0;

  constructor(private readonly bounds: WitnessBounds) {}

  get all(): readonly Uint8Array[] {
    return [...this.found.values()];
  }

  get(hash: Uint8Array): Uint8Array | undefined {
    return this.found.get(keyOf(hash));
  }

  /** @throws WitnessTooLargeError */
  add(hash: Uint8Array, content: Uint8Array): void {
    const key = keyOf(hash);
    if (this.found.has(key)) return;
    this.bytes += content.length;
    assertWithin(this.bounds, { count: this.found.size + 1, bytes: this.bytes });
    this.found.set(key, content);
  }
}

/** Passes on what is stored, and records it. */
export class WitnessRecorder implements StateSource {
  /** Worlds of this database are recorded. */
  readonly database = new StateDatabase({ source: this, limits: LIMITS, metrics: silentMetrics });
  private readonly nodes: HashedContent;
  private readonly codes: HashedContent;

  constructor(
    private readonly source: StateSource,
    bounds: WitnessBounds,
  ) {
    this.nodes = new HashedContent(bounds);
    this.codes = new HashedContent(bounds);
  }

  get witness(): StateWitness {
    return { nodes: this.nodes.all, codes: this.codes.all };
  }

  /** @throws WitnessTooLargeError */
  async findNode(hash: Uint8Array): Promise<Uint8Array | undefined> {
    const found = await this.source.findNode(hash);
    if (found !== undefined) this.nodes.add(hash, found);
    return found;
  }

  /** @throws WitnessTooLargeError */
  async findCode(hash: Uint8Array): Promise<Uint8Array | undefined> {
    const found = await this.source.findCode(hash);
    if (found !== undefined) this.codes.add(hash, found);
    return found;
  }

  findPreimage(hash: Uint8Array): Promise<Uint8Array | undefined> {
    return this.source.findPreimage(hash);
  }
}

/**
 * The part of a state that a witness has. Everything is found by the hash of its bytes, so a world at a state root reads
 * what the state has, or fails: what is left out is missing, never empty.
 * @throws WitnessTooLargeError before anything is hashed
 */
export function witnessedState(witness: StateWitness, bounds: WitnessBounds): StateDatabase {
  const [nodes, codes] = [contentOf(witness.nodes, bounds), contentOf(witness.codes, bounds)];
  const source: StateSource = {
    findNode: async (hash) => nodes.get(hash),
    findCode: async (hash) => codes.get(hash),
    findPreimage: async () => undefined,
  };
  return new StateDatabase({ source, limits: LIMITS, metrics: silentMetrics });
}

function contentOf(list: readonly Uint8Array[], bounds: WitnessBounds): HashedContent {
  const bytes = list.reduce((sum, { length }) => sum + length, 0);
  assertWithin(bounds, { count: list.length, bytes });
  const content = new HashedContent(bounds);
  for (const item of list) content.add(keccak256(item), item);
  return content;
}

/** @throws WitnessTooLargeError */
function assertWithin(most: WitnessBounds, { count, bytes }: WitnessBounds): void {
  if (count > most.count || bytes > most.bytes)
    throw new WitnessTooLargeError(
      `a witness has ${most.count} nodes and as many codes, of ${most.bytes} bytes, at most`,
    );
}
