import { EtcdError } from '@tetrad/node-etcd';
import { pause, type Clock, type Hash, type Logger, type Turns } from '@tetrad/types';
import type { BlockLog, LogBlock } from '../log/block-log.js';
import { LogError } from '../log/log-error.js';
import type { LogKeys } from '../log/log-keys.js';
import type { Member } from '../log/log-records.js';
import type { Entry, KeyEvent, LogStore, Watch } from '../log/log-store.js';
import { LogView } from '../log/log-view.js';

/** The chain of this node. */
export interface OrderedChain<Block extends LogBlock> {
  /** The newest block; everything up to it is stored. */
  head(): LogBlock;
  /** Hash of a block of the chain; undefined for an unknown block. */
  hashOf(number: number): Promise<Hash | undefined>;
  /** A block of the chain, to put it back into the log. */
  findBlock(number: number): Promise<Block | undefined>;
  /** Executes a block on top of the head and stores it. Fails: InvalidBlockError when it is not valid there */
  importBlock(block: Block): Promise<void>;
}

export interface LogFollowerOptions<Block extends LogBlock> {
  readonly store: LogStore;
  readonly keys: LogKeys;
  readonly log: BlockLog<Block>;
  readonly chain: OrderedChain<Block>;
  readonly genesisHash: Hash;
  /** Of a network that has no log yet, the same on every node; empty on a node that is added later. */
  readonly firstMembers: readonly Member[];
  /** Whether blocks of this chain that the log has lost are put back into it, as the operator has configured. */
  readonly restoresLog: boolean;
  readonly isFaultOfBlock: (error: unknown) => boolean;
  /** Serializes everything that moves the head of the chain. */
  readonly turns: Turns;
  /** Called when the content of the log or its availability changes. */
  readonly onChange: () => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

const RETRY_MS = 250;
/** How soon a node checks again whether its operator has repaired the log. */
const CONFLICT_RETRY_MS = 2_000;

/**
 * Imports the blocks of the log into the chain of this node, in order.
 *
 * A block is in the log before it is in any chain. So a node that was killed in between finds it there, and a chain
 * that is ahead of the log means that the log has lost acknowledged blocks: the node reports that, and imports nothing.
 */
export class LogFollower<Block extends LogBlock> {
  /** The control keys of the log. */
  view: LogView;
  private watch: Watch | undefined;
  private conflict: LogError | undefined;
  /** Damage to blocks of the log that this chain has; reported until the next start. */
  private damage: string | undefined;
  private silence: string | undefined = 'it has not been asked yet';
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: LogFollowerOptions<Block>) {
    this.view = new LogView(options.keys);
  }

  /** Starts following; etcd may be unavailable, and is then retried. */
  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.watch?.close().catch(() => undefined);
    await this.running;
  }

  /** Whether the view is known to be current. */
  get hears(): boolean {
    return this.silence === undefined && this.conflict === undefined;
  }

  /** Whether the chain has all blocks of the log. */
  get isAtHead(): boolean {
    return this.options.chain.head().header.number === this.view.head?.number;
  }

  /** Why the log cannot or must not be followed; undefined when all is well. */
  trouble(): string | undefined {
    if (this.conflict !== undefined) return this.conflict.message;
    if (this.silence !== undefined) return `etcd does not answer: ${this.silence}`;
    return this.damage;
  }

  /** Whether a block must come from a member, as the log no longer has it. */
  wantsFromPeers(number: number): boolean {
    const { conflict } = this;
    return conflict?.conflict === 'pruned' && number < (conflict.firstBlock ?? 0);
  }

  private get isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      try {
        await this.synchronise();
        await this.follow();
      } catch (error) {
        if (error instanceof LogError) this.refuse(error);
        else this.note(error);
      }
      this.options.onChange();
      const pauseMs = this.conflict === undefined ? RETRY_MS : CONFLICT_RETRY_MS;
      await pause(this.options.clock, pauseMs, this.stopping.signal);
    }
  }

  /** Reads the log, and imports up to its head. Fails: LogError, EtcdError, as importing does */
  private async synchronise(): Promise<void> {
    // In one turn, so that no block of this node is appended in between.
    await this.options.turns.take(async () => {
      this.view = await this.readView();
      if (this.options.restoresLog) await this.restoreLog();
      this.assertAgreed();
      await this.catchUp();
    });
    if (this.conflict !== undefined)
      this.options.logger.info('the log in etcd is the one of this chain again');
    this.conflict = undefined;
    this.silence = undefined;
    this.options.onChange();
  }

  /** Reads the control keys; creates a missing log. Fails: LogError `behind`, EtcdError */
  private async readView(): Promise<LogView> {
    const { store, keys, log, firstMembers, genesisHash, chain } = this.options;
    const found = await LogView.read(store, keys);
    if (found.head !== undefined) return found;
    const { number } = chain.head().header;
    if (number > 0 && !this.options.restoresLog)
      throw new LogError('behind', `the log in etcd is empty, and this chain has ${number} blocks`);
    // A node that is added later waits for the network that it joins.
    if (firstMembers.length > 0) await log.found(genesisHash, firstMembers);
    const made = await LogView.read(store, keys);
    if (made.head === undefined) throw new EtcdError('unavailable', 'etcd has no log of this chain yet');
    return made;
  }

  /** Puts back acknowledged blocks, each of which names the one before. Fails: LogError, EtcdError */
  private async restoreLog(): Promise<void> {
    const { chain, log, logger } = this.options;
    const from = this.view.head;
    const last = chain.head().header.number;
    if (from === undefined || from.number >= last) return;
    if ((await chain.hashOf(from.number)) !== from.hash)
      throw new LogError(
        'forked',
        `the log in etcd ends at block ${from.number}, which is another one in this chain`,
      );
    for (let number = from.number + 1; number <= last && !this.isStopped; number++) {
      const block = await chain.findBlock(number);
      if (block === undefined || !(await log.putBack(block)))
        throw new EtcdError(
          'rejected',
          `block ${number} could not be put back into the log; another node does so too`,
        );
      this.view.head = { number, hash: block.hash };
    }
    logger.warn('blocks of this chain were put back into the log in etcd', {
      from: from.number + 1,
      to: last,
    });
  }

  /** Fails: LogError when the chain is not a beginning of the log */
  private assertAgreed(): void {
    const { head } = this.view;
    const own = this.options.chain.head();
    if (head === undefined || head.number > own.header.number) return;
    const where = `the log in etcd ends at block ${head.number}`;
    if (head.number < own.header.number)
      throw new LogError('behind', `${where}, and this chain at ${own.header.number}: etcd was set back`);
    if (head.hash !== own.hash)
      throw new LogError('forked', `${where} with ${head.hash}, where this chain has ${own.hash}`);
  }

  /** Imports the blocks of the log that the chain lacks. Fails: LogError, EtcdError, as importing does */
  private async catchUp(): Promise<void> {
    for (;;) {
      const { number } = this.options.chain.head().header;
      const target = this.view.head?.number ?? 0;
      if (number >= target || this.isStopped) return;
      const blocks = await this.options.log.read(number + 1);
      if (blocks.length === 0)
        throw new LogError(
          'foreign',
          `the log in etcd has no block ${number + 1}, and says it has ${target}`,
        );
      for (const block of blocks) if (block.header.number <= target) await this.import(block);
    }
  }

  /** Follows the log until the watch ends. Fails: LogError, and as importing does */
  private async follow(): Promise<void> {
    const { store, keys, onChange } = this.options;
    this.watch = store.watch({
      prefix: keys.log,
      fromRevision: this.view.revision + 1n,
      onEvents: (events) => this.take(events),
      probeKey: keys.head,
      onTrouble: (trouble) => {
        this.silence = trouble;
        onChange();
      },
    });
    // The node was stopped before the watch was open.
    if (this.isStopped) await this.watch.close().catch(() => undefined);
    await this.watch.ended;
  }

  private async take(events: readonly KeyEvent[]): Promise<void> {
    const { keys, turns, onChange } = this.options;
    for (const event of events) {
      const number = keys.numberOf(event.entry.key);
      if (number === undefined) this.view.apply(event);
      else if (event.kind === 'put') await turns.take(() => this.takeBlock(number, event.entry));
    }
    await turns.take(async () => this.assertFollowing());
    onChange();
  }

  /** An append moves the head first: an entry above the head, or one unlike the chain's block, is a foreign write. */
  private async takeBlock(number: number, entry: Entry): Promise<void> {
    const { log, chain } = this.options;
    if (number > (this.view.head?.number ?? 0)) return this.noteDamage(number);
    if (number > chain.head().header.number) return this.import(await log.blockOf(entry));
    // It is in the chain too: what is appended is stored in the same turn.
    if (log.isAppendedHere(number, entry)) return;
    const block = await log.blockOf(entry).catch((error: unknown) => {
      if (!(error instanceof LogError)) throw error;
    });
    if (block?.hash !== (await chain.hashOf(number))) this.noteDamage(number);
  }

  /** Fails: LogError when the blocks of the log do not lead to its head */
  private assertFollowing(): void {
    const own = this.options.chain.head();
    const { head } = this.view;
    // The watch may report an append of this node later.
    if (head === undefined || head.number < own.header.number) return;
    this.assertAgreed();
    if (head.number > own.header.number)
      throw new LogError(
        'foreign',
        `the log in etcd has no block ${head.number}, which it says is its newest`,
      );
  }

  private async import(block: Block): Promise<void> {
    const { chain, isFaultOfBlock } = this.options;
    const { number, parentHash } = block.header;
    if (parentHash !== chain.head().hash)
      throw new LogError('forked', `block ${number} of the log in etcd does not follow this chain`);
    try {
      await chain.importBlock(block);
    } catch (error) {
      if (!isFaultOfBlock(error)) throw error;
      const reason = error instanceof Error ? error.message : '';
      throw new LogError('invalid', `block ${number} of the log in etcd is not valid: ${reason}`);
    }
  }

  /** The chain goes on, since its head is intact; nodes that join later will not get past the block. */
  private noteDamage(number: number): void {
    this.damage = `block ${number} of the log in etcd is not what was appended: another writer changed it`;
    this.options.logger.error('another writer changed the log in etcd', { reason: this.damage });
  }

  private refuse(error: LogError): void {
    if (this.conflict?.message !== error.message)
      this.options.logger.error('this node does not follow the log in etcd', { reason: error.message });
    this.conflict = error;
  }

  /** Records the failure; following is tried again in any case. */
  private note(error: unknown): void {
    this.silence = error instanceof Error ? error.message : String(error);
    if (!(error instanceof EtcdError))
      this.options.logger.error('following the log in etcd failed', { error });
  }
}
