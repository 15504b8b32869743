import { EtcdError } from '@tetrad/node-etcd';
import {
  prefixEnd,
  type Comparison,
  type Entry,
  type LogStore,
  type Operation,
  type Transaction,
} from './log-store.js';
import { keepNewest, type Hash } from '@tetrad/types';
import { BlockValues } from './block-values.js';
import type { BlockCodec, LogBlock } from './log-block.js';
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

const BLOCKS_OF_READ = 64;
/** A watch reports an append when at most this many others were made since. */
const REMEMBERED_APPENDS = 8;
const FEWEST_BLOCKS_OF_READ = 1;

/** The blocks of one chain in etcd, in order: one head, which each append compares and moves. */
export class BlockLog<Block extends LogBlock> {
  /** The values of the newest blocks that were appended here, by number. */
  private readonly appended = new Map<number, Uint8Array>();

  private readonly values: BlockValues<Block>;

  constructor(
    private readonly store: LogStore,
    private readonly keys: LogKeys,
    codec: BlockCodec<Block>,
  ) {
    this.values = new BlockValues(store, keys, codec);
  }

  /**
   * Creates the log of a new network. When several nodes do so at once, one succeeds; all must name the same members.
   * @throws EtcdError
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
   * @returns consecutive ones from the number on; empty when the log ends before it
   * @throws LogError `pruned` when the first is no longer there; EtcdError
   */
  async read(from: number): Promise<Block[]> {
    const { keys } = this;
    for (let limit = BLOCKS_OF_READ; ; limit = Math.floor(limit / 4)) {
      try {
        const { entries } = await this.store.range({
          key: keys.block(from),
          rangeEnd: prefixEnd(keys.blocks),
          limit,
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

  /**
   * The block of an entry of the log.
   * @throws LogError `foreign` for any other entry, `pruned`; EtcdError
   */
  blockOf(entry: Entry): Promise<Block> {
    return this.values.blockOf(entry);
  }

  /**
   * Appends a block to the head that it names as its parent; nothing is written when that is no longer the head, or
   * when the fence does not hold.
   * @throws EtcdError, when certainly nothing was written
   */
  async append(block: Block, fence: Fence): Promise<AppendOutcome> {
    const value = await this.values.valueOf(block);
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
   * @returns whether that was the head
   * @throws EtcdError
   */
  async putBack(block: Block): Promise<boolean> {
    return (await this.store.transact(this.moveOf(block, await this.values.valueOf(block)))).succeeded;
  }

  /**
   * Puts back a block that is missing below the head; nothing is written when one is there.
   * @throws EtcdError
   */
  async fill(block: Block): Promise<void> {
    const value = await this.values.valueOf(block);
    const key = this.keys.block(block.header.number);
    await this.store.transact({
      compare: [{ key, target: 'create', revision: 0n }],
      success: [{ kind: 'put', key, value }],
    });
  }

  /**
   * Deletes blocks below a number, with their parts, and compacts the history before the revision.
   * @throws EtcdError
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
    keepNewest(this.appended, REMEMBERED_APPENDS);
  }

  /**
   * Moves the head from the parent of the block to the block.
   * @param value - of the block's key
   */
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
}
