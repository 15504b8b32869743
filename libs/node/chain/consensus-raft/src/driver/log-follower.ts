import { EtcdError } from '@tetrad/node-etcd';
import { pause } from '@tetrad/types';
import type { LogBlock } from '../log/log-block.js';
import { LogError } from '../log/log-error.js';
import type { Entry, KeyEvent, Watch } from '../log/log-store.js';
import { LogView } from '../log/log-view.js';
import { LogDamage } from './log-damage.js';
import { LogGaps } from './log-gaps.js';
import type { LogFollowerOptions } from './log-follower-options.js';
import { LogRestoring } from './log-restoring.js';
import type { RaftReason } from './raft-reasons.js';

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
  private readonly damage: LogDamage<Block>;
  private readonly gaps: LogGaps;
  private readonly restoring: LogRestoring<Block>;
  private silence: string | undefined = 'it has not been asked yet';
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: LogFollowerOptions<Block>) {
    this.view = new LogView(options.keys);
    this.damage = new LogDamage(options);
    this.gaps = new LogGaps(options);
    this.restoring = new LogRestoring({ ...options, gaps: this.gaps });
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

  /** Why the log cannot or must not be followed, or not by others. */
  reasons(): RaftReason[] {
    const { conflict, silence } = this;
    const damage = this.damage.reason();
    const gap = this.gaps.reason();
    return [
      ...(conflict === undefined ? [] : [{ name: `log ${conflict.conflict}`, text: conflict.message }]),
      ...(silence === undefined ? [] : [{ name: 'etcd', text: `etcd does not answer: ${silence}` }]),
      ...(damage === undefined ? [] : [{ name: 'damage', text: damage }]),
      ...(gap === undefined ? [] : [{ name: 'gap', text: gap }]),
    ];
  }

  /** Whether the view may be an old one. */
  get isSilent(): boolean {
    return this.silence !== undefined;
  }

  /** Whether a block must come from a member, as the log no longer has it. */
  wantsFromPeers(number: number): boolean {
    return number < (this.conflict?.firstBlock ?? 0);
  }

  /** Whether it is this one, as far as the log tells: it still names its newest block. */
  mayTakeFromPeers({ hash, header: { number } }: LogBlock): boolean {
    const { head } = this.view;
    return this.wantsFromPeers(number) && (head?.number !== number || head.hash === hash);
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

  /**
   * Reads the log, and imports up to its head.
   * @throws LogError, EtcdError, as importing does
   */
  private async synchronise(): Promise<void> {
    // In one turn, so that no block of this node is appended in between.
    await this.options.turns.take(async () => {
      this.view = await this.readView();
      if (this.options.restoresLog) {
        await this.restoring.restore(this.view, this.stopping.signal);
        // At the revision of now: a watch from an earlier one would report the heads of the blocks as moves back.
        this.view = await this.readView();
      } else await this.gaps.search(this.view.head?.number ?? 0);
      this.assertAgreed();
      await this.catchUp();
      await this.damage.readAgain(this.view.head?.number ?? 0);
    });
    this.conflict = undefined;
    this.silence = undefined;
    this.options.onChange();
  }

  /**
   * Reads the control keys; creates a missing log.
   * @throws LogError `behind`, EtcdError
   */
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

  /** @throws LogError when the chain is not a beginning of the log */
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

  /**
   * Imports the blocks of the log that the chain lacks.
   * @throws LogError, EtcdError, as importing does
   */
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
          target + 1,
        );
      for (const block of blocks) if (block.header.number <= target) await this.import(block);
    }
  }

  /**
   * Follows the log until the watch ends.
   * @throws LogError, and as importing does
   */
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
      if (number === undefined) this.applyControl(event);
      else if (event.kind === 'put') await turns.take(() => this.takeBlock(number, event.entry));
      else this.noteDeletion(number);
    }
    await turns.take(async () => this.assertFollowing());
    await this.gaps.follow(this.view.head?.number ?? 0);
    onChange();
  }

  private noteDeletion(number: number): void {
    this.damage.clear(number);
    this.gaps.deleted();
  }

  /** @throws LogError `behind` when the head moves back, which no append does; `foreign` */
  private applyControl(event: KeyEvent): void {
    const before = this.view.head;
    this.view.apply(event);
    const { head } = this.view;
    if (before === undefined || (head !== undefined && head.number >= before.number)) return;
    const where = head === undefined ? 'lost its head' : `went back to block ${head.number}`;
    throw new LogError('behind', `the log in etcd ended at block ${before.number} and ${where}`);
  }

  /** An append moves the head first: an entry above the head, or one unlike the chain's block, is a foreign write. */
  private async takeBlock(number: number, entry: Entry): Promise<void> {
    const { log, chain } = this.options;
    const head = this.view.head?.number ?? 0;
    if (number > head) return this.damage.note(number);
    this.gaps.put(number, head);
    if (number > chain.head().header.number) await this.import(await log.blockOf(entry));
    // What is appended here is stored in the same turn, so that it is in the chain too.
    else if (!log.isAppendedHere(number, entry)) return this.damage.compare(number, entry);
    this.damage.clear(number);
  }

  /** @throws LogError when the blocks of the log do not lead to its head */
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

  private refuse(error: LogError): void {
    this.conflict = error;
    this.silence = undefined;
  }

  /** Records the failure; following is tried again in any case. */
  private note(error: unknown): void {
    this.silence = error instanceof Error ? error.message : String(error);
    if (!(error instanceof EtcdError))
      this.options.logger.error('following the log in etcd failed', { error });
  }
}
