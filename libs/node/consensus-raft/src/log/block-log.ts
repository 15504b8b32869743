import { EtcdError } from '@tetrad/node-etcd';
import {
  prefixEnd,
  type Comparison,
  type Entry,
  type LogStore,
  type Operation,
  type Transaction,
} from './log-store.js';
import type { Hash } from '@tetrad/types';
import { LogError } from './log-error.js';
import type { LogKeys } from './log-keys.js';
import {
  decodeHead,
  encodeHead,
  encodeMember,
  encodeNumber,
  type LogHead,
  type Member,
} from './log-records.js';

/** The parts of a block that the log reads. */
export interface LogBlock {
  readonly hash: Hash;
  readonly header: { readonly number: number; readonly parentHash: Hash };
}

export interface BlockCodec<Block extends LogBlock> {
  encode(block: Block): Uint8Array;
  /** Fails: InvalidBlockError */
  decode(encoded: Uint8Array): Promise<Block>;
}

/** Conditions of an append: the node that minted the block is still the minter, and a voter. */
export interface Fence {
  readonly raftId: number;
  /** The create revision of the minter's key. */
  readonly minterRevision: bigint;
  /** The mod revision of the member's key. */
  readonly memberRevision: bigint;
}

/** `unsettled`: the append was sent, and its outcome is unknown. */
export type AppendOutcome = 'appended' | 'refused' | 'unsettled';

/**
 * The value of a block, by its first byte:
 *
 *   0 (1) ‖ RLP of the block
 *   1 (1) ‖ number of its parts (4, big-endian) ‖ hash of the block (32)
 */
const WHOLE = 0;
const IN_PARTS = 1;
const IN_PARTS_BYTES = 1 + 4 + 32;
/** etcd accepts requests of up to 1.5 MiB by default. */
const PART_BYTES = 1_048_576;
const MAX_PARTS = 64;
const BLOCKS_OF_READ = 64;
/** A watch reports an append when at most this many others were made since. */
const REMEMBERED_APPENDS = 8;
const FEWEST_BLOCKS_OF_READ = 1;

/** The blocks of one chain in etcd, in order: one head, which each append compares and moves. */
export class BlockLog<Block extends LogBlock> {
  /** The values of the newest blocks that were appended here, by number. */
  private readonly appended = new Map<number, Uint8Array>();

  constructor(
    private readonly store: LogStore,
    private readonly keys: LogKeys,
    private readonly codec: BlockCodec<Block>,
  ) {}

  /**
   * Creates the log of a new network. When several nodes do so at once, one succeeds; all must name the same members.
   *
   * Fails: EtcdError
   */
  async found(genesisHash: Hash, members: readonly Member[]): Promise<void> {
    const { keys } = this;
    const head = encodeHead({ number: 0, hash: genesisHash });
    const nextId = 1 + Math.max(0, ...members.map(({ raftId }) => raftId));
    await this.store.transact({
      compare: [{ key: keys.head, target: 'create', revision: 0n }],
      success: [
        { kind: 'put', key: keys.head, value: head },
        { kind: 'put', key: keys.nextId, value: encodeNumber(nextId) },
        ...members.map((member): Operation => ({
          kind: 'put',
          key: keys.member(member.raftId),
          value: encodeMember(member),
        })),
      ],
    });
  }

  /**
   * Blocks from a number on, as many as fit one read.
   *
   * Out:   consecutive ones from the number on; empty when the log ends before it
   * Fails: LogError `pruned` when the first is no longer there; EtcdError
   */
  async read(from: number): Promise<Block[]> {
    const { keys } = this;
    for (let limit = BLOCKS_OF_READ; ; limit = Math.floor(limit / 4)) {
      try {
        const { entries } = await this.store.range({
          ...{ key: keys.block(from), rangeEnd: prefixEnd(keys.blocks), limit },
        });
        return await this.decodeAll(entries, from);
      } catch (error) {
        const isTooLarge = error instanceof EtcdError && error.kind === 'too-large';
        if (!isTooLarge || limit <= FEWEST_BLOCKS_OF_READ) throw error;
      }
    }
  }

  /** Whether the entry is a recent append of this node, which need not be decoded. */
  isAppendedHere(number: number, { value }: Entry): boolean {
    const own = this.appended.get(number);
    return own !== undefined && Buffer.compare(own, value) === 0;
  }

  /** The block of an entry of the log. Fails: LogError `foreign` for any other entry; EtcdError */
  async blockOf({ key, value }: Entry): Promise<Block> {
    const number = this.keys.numberOf(key);
    if (number === undefined) throw new LogError('foreign', `${key} in etcd is not of this software`);
    const encoded = await this.bytesOf(number, value);
    const block = await this.codec.decode(encoded).catch((error: unknown) => {
      throw new LogError(
        'foreign',
        `${key} in etcd is not a block: ${error instanceof Error ? error.message : ''}`,
      );
    });
    if (block.header.number !== number)
      throw new LogError('foreign', `${key} in etcd holds block ${block.header.number}`);
    return block;
  }

  /**
   * Appends a block to the head that it names as its parent; nothing is written when that is no longer the head, or
   * when the fence does not hold.
   *
   * Fails: EtcdError, when certainly nothing was written
   */
  async append(block: Block, fence: Fence): Promise<AppendOutcome> {
    const value = await this.valueOf(block);
    const outcome = await this.tryAppend(block, { value, fence });
    if (outcome === 'appended') this.remember(block.header.number, value);
    return outcome;
  }

  private async tryAppend(
    block: Block,
    { value, fence }: { readonly value: Uint8Array; readonly fence: Fence },
  ): Promise<AppendOutcome> {
    const { keys } = this;
    const move = this.moveOf(block, value);
    const fences: Comparison[] = [
      { key: keys.minter, target: 'create', revision: fence.minterRevision },
      { key: keys.member(fence.raftId), target: 'mod', revision: fence.memberRevision },
    ];
    try {
      const { succeeded } = await this.store.transact({ ...move, compare: [...move.compare, ...fences] });
      return succeeded ? 'appended' : 'refused';
    } catch (error) {
      if (error instanceof EtcdError && error.kind === 'unknown-outcome') return this.settle(block);
      throw error;
    }
  }

  /**
   * Puts back a block that a restored log has lost, on top of the head that it names as its parent.
   *
   * Out:   whether that was the head
   * Fails: EtcdError
   */
  async putBack(block: Block): Promise<boolean> {
    return (await this.store.transact(this.moveOf(block, await this.valueOf(block)))).succeeded;
  }

  /**
   * Deletes blocks below a number, with their parts, and compacts the history before the revision.
   *
   * Fails: EtcdError
   */
  async prune(below: number, revision: bigint): Promise<void> {
    const { keys } = this;
    await this.store.transact({
      compare: [],
      success: [
        { kind: 'delete', key: keys.block(0), rangeEnd: keys.block(below) },
        { kind: 'delete', key: keys.partsOf(0), rangeEnd: keys.partsOf(below) },
      ],
    });
    await this.store.compact(revision);
  }

  private remember(number: number, value: Uint8Array): void {
    this.appended.delete(number);
    this.appended.set(number, value);
    const [oldest] = this.appended.keys();
    if (this.appended.size > REMEMBERED_APPENDS && oldest !== undefined) this.appended.delete(oldest);
  }

  /** Moves the head from the parent of the block to the block. In: value — of the block's key */
  private moveOf(block: Block, value: Uint8Array): Transaction {
    const { keys } = this;
    const { number, parentHash } = block.header;
    const [from, to] = [
      { number: number - 1, hash: parentHash },
      { number, hash: block.hash },
    ];
    return {
      compare: [{ key: keys.head, target: 'value', value: encodeHead(from) }],
      success: [
        { kind: 'put', key: keys.head, value: encodeHead(to) },
        { kind: 'put', key: keys.block(number), value },
      ],
    };
  }

  /** After a lost answer: finds out the outcome of the append. */
  private async settle(block: Block): Promise<AppendOutcome> {
    const { number } = block.header;
    try {
      const { entries } = await this.store.range({ key: this.keys.head });
      const [entry] = entries;
      if (entry === undefined) return 'unsettled';
      const head: LogHead = decodeHead(entry.key, entry.value);
      // The append may still be under way: etcd executes a request that it has, even when the caller gave up.
      if (head.number < number) return 'unsettled';
      if (head.number === number) return head.hash === block.hash ? 'appended' : 'refused';
      const [own] = await this.read(number);
      return own?.hash === block.hash ? 'appended' : 'refused';
    } catch (error) {
      if (error instanceof EtcdError) return 'unsettled';
      throw error;
    }
  }

  private async decodeAll(entries: readonly Entry[], from: number): Promise<Block[]> {
    const blocks: Block[] = [];
    for (const entry of entries) {
      const number = this.keys.numberOf(entry.key);
      if (number !== from + blocks.length) {
        if (blocks.length > 0) return blocks;
        throw new LogError(
          'pruned',
          `blocks from ${from} on are no longer in the log in etcd, and come from members`,
          number,
        );
      }
      blocks.push(await this.blockOf(entry));
    }
    return blocks;
  }

  /** The value of the block's key. The parts of a large block are written first. */
  private async valueOf(block: Block): Promise<Uint8Array> {
    const encoded = this.codec.encode(block);
    if (encoded.length <= PART_BYTES) return Buffer.concat([Buffer.of(WHOLE), encoded]);
    const count = Math.ceil(encoded.length / PART_BYTES);
    if (count > MAX_PARTS) throw new EtcdError('too-large', `a block of ${encoded.length} bytes`);
    for (let index = 0; index < count; index++) {
      const value = encoded.subarray(index * PART_BYTES, (index + 1) * PART_BYTES);
      const key = this.keys.part(block.header.number, block.hash, index);
      await this.store.transact({ compare: [], success: [{ kind: 'put', key, value }] });
    }
    const value = Buffer.alloc(IN_PARTS_BYTES);
    value[0] = IN_PARTS;
    value.writeUInt32BE(count, 1);
    value.write(block.hash.slice(2), 5, 'hex');
    return value;
  }

  private async bytesOf(number: number, value: Uint8Array): Promise<Uint8Array> {
    if (value[0] === WHOLE) return value.subarray(1);
    const foreign = () => new LogError('foreign', `block ${number} in etcd is not of this software`);
    const bytes = Buffer.from(value);
    if (bytes[0] !== IN_PARTS || bytes.length !== IN_PARTS_BYTES) throw foreign();
    const count = bytes.readUInt32BE(1);
    const hash = `0x${bytes.subarray(5).toString('hex')}` as Hash;
    if (count > MAX_PARTS) throw foreign();
    const parts: Uint8Array[] = [];
    for (let index = 0; index < count; index++) {
      const { entries } = await this.store.range({ key: this.keys.part(number, hash, index) });
      const [part] = entries;
      if (part === undefined)
        throw new LogError('pruned', `parts of block ${number} are no longer in the log`);
      parts.push(part.value);
    }
    return Buffer.concat(parts);
  }
}
