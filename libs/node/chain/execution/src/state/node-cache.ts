import { CodeCache } from '@tetrad/node-evm';
import { hashToBytes, type Hash } from '@tetrad/types';
import { LRUCache } from 'lru-cache';
import { keyOf } from './state-keys.js';
import { MissingTrieNodeError } from './trie.js';

/** Content-addressed reads that execution needs; the node's store implements it. */
export interface StateSource {
  findNode(hash: Uint8Array): Promise<Uint8Array | undefined>;
  findCode(hash: Uint8Array): Promise<Uint8Array | undefined>;
  /** The preimage of a hashed trie key: an address (20) or a storage slot (32); undefined when it is not stored. */
  findPreimage(hash: Uint8Array): Promise<Uint8Array | undefined>;
}

/** What V8 holds of an entry besides its bytes: key, view and place in the map. Measured with 100,000 entries on Node.js 20. */
const ENTRY_BYTES = 320;
/** Memory of decoded codes against that of their bytes. */
const PROGRAMS_BY_CODES = 4;

/**
 * Trie nodes and codes by their hash, in bounded memory over what is stored.
 *
 * Entries are addressed by their hash and valid for every root and state, so that several states can share one cache.
 */
export class NodeCache {
  /** Decoded codes. */
  readonly programs: CodeCache;
  private readonly nodes: LRUCache<string, Uint8Array>;
  private readonly codes: LRUCache<Hash, Uint8Array>;

  /** Units: bytes */
  constructor(
    private readonly source: StateSource,
    limits: { readonly nodeBytes: number; readonly codeBytes: number },
  ) {
    const sizeCalculation = (bytes: Uint8Array) => bytes.length + ENTRY_BYTES;
    this.nodes = new LRUCache({ maxSize: limits.nodeBytes, sizeCalculation });
    this.codes = new LRUCache({ maxSize: limits.codeBytes, sizeCalculation });
    this.programs = new CodeCache(PROGRAMS_BY_CODES * limits.codeBytes);
  }

  get sizes(): { readonly nodes: number; readonly codes: number } {
    return { nodes: this.nodes.size, codes: this.codes.size };
  }

  addNode(hash: Uint8Array, encoded: Uint8Array): void {
    this.nodes.set(keyOf(hash), encoded);
  }

  addCode(hash: Hash, code: Uint8Array): void {
    this.codes.set(hash, code);
  }

  cachedNode(hash: Uint8Array): Uint8Array | undefined {
    return this.nodes.get(keyOf(hash));
  }

  async findNode(hash: Uint8Array): Promise<Uint8Array | undefined> {
    const key = keyOf(hash);
    const cached = this.nodes.get(key);
    if (cached !== undefined) return cached;
    const encoded = await this.source.findNode(hash);
    if (encoded !== undefined) this.nodes.set(key, encoded);
    return encoded;
  }

  cachedCode(hash: Hash): Uint8Array | undefined {
    return this.programs.get(hash)?.bytes ?? this.codes.get(hash);
  }

  /** @throws MissingTrieNodeError when it is not stored */
  async readCode(hash: Hash): Promise<Uint8Array> {
    const cached = this.cachedCode(hash);
    if (cached !== undefined) return cached;
    const code = await this.source.findCode(hashToBytes(hash));
    if (code === undefined) throw new MissingTrieNodeError(`no code ${hash}`);
    this.codes.set(hash, code);
    return code;
  }

  findPreimage(hash: Uint8Array): Promise<Uint8Array | undefined> {
    return this.source.findPreimage(hash);
  }
}
