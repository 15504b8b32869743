import {
  findAccount,
  type AccountState,
  type TransactionBarrier,
  type TransactionIntent,
} from '@tetrad/node-execution';
import { RequestError, type Address, type Block, type SignedTransaction } from '@tetrad/types';
import { HeadWorld } from './head-world.js';
import { makeRoom, trim, trimSender, type Evicted } from './make-room.js';
import type { PoolBook } from './pool-book.js';
import type { PoolChain } from './pool-chain.js';
import { createPoolEntry, type PoolEntry } from './pool-entry.js';
import type { PoolLimits } from './pool-limits.js';
import type { JournalledTransaction } from './read-journal.js';
import type { PoolContext } from './rules/pool-rule.js';
import { poolRules, type PoolRules } from './rules/pool-rules.js';
import { STANDING, standingOf, type Standing } from './standing.js';

export interface PoolAdmissionOptions {
  readonly chain: PoolChain;
  readonly book: PoolBook;
  readonly limits: PoolLimits;
  /** Whether it is an account of this node. */
  readonly isOwnAccount: (address: Address) => boolean;
  /** Why the account may not submit through this node. */
  readonly submissionBarrier?: ((sender: Address) => TransactionBarrier | undefined) | undefined;
}

/** Origin of a transaction. */
export interface Origin {
  /** Whether a client of this node submitted it, and not another node. */
  readonly isSubmittedHere: boolean;
}

/** Decides which transactions are admitted to the book, and which are evicted for them. */
export class PoolAdmission {
  readonly headWorld: HeadWorld;
  private readonly rules: PoolRules;
  private sequence = 0;

  constructor(private readonly options: PoolAdmissionOptions) {
    this.headWorld = new HeadWorld(options.chain);
    this.rules = poolRules(options.chain.mayTransact);
  }

  /** @throws RequestError when the account may not submit through this node */
  assertMaySubmit(sender: Address): void {
    throwBarrier(this.options.submissionBarrier?.(sender));
  }

  /** @throws RequestError when the next block may not execute it, or as `assertMaySubmit` */
  async assertPermitted(intent: TransactionIntent): Promise<void> {
    const { chain } = this.options;
    this.assertMaySubmit(intent.sender);
    if (chain.mayTransact === undefined) return;
    const { block } = this.contextAfter(chain.head());
    throwBarrier(await chain.mayTransact(intent, { block, world: await this.headWorld.open() }));
  }

  /**
   * Checks the transaction against the head, and again when the head moved meanwhile.
   * @returns its sender's account
   */
  async check(transaction: SignedTransaction): Promise<AccountState | undefined> {
    const { chain } = this.options;
    for (;;) {
      const head = chain.head();
      const context = this.contextAfter(head);
      for (const rule of this.rules.transaction) rule.check(transaction, context);
      const world = await this.headWorld.open();
      for (const rule of this.rules.state) await rule.check(transaction, context, world);
      const account = await findAccount(world, transaction.sender);
      if (chain.head() === head) return account;
    }
  }

  /**
   * Checks the transaction against the pool and adds it; the caller decides whether it is kept.
   * @returns its entry, and the evicted entries
   * @throws RequestError, and nothing has changed
   */
  admit(
    transaction: SignedTransaction,
    account: AccountState | undefined,
    origin: Origin,
  ): { readonly entry: PoolEntry; readonly evicted: readonly Evicted[] } {
    const { book, chain } = this.options;
    const { hash, sender, nonce } = transaction;
    if (book.find(hash) !== undefined) throw new RequestError('ALREADY_KNOWN', 'already known');
    const entry = this.newEntry(transaction, chain.clock.now());
    const queue = book.queueOf(sender);
    for (const rule of this.rules.sender) rule.check({ entry, account, queue });
    const nextNonce = account?.nonce ?? 0n;
    const standing = this.standingOf(sender, account, origin);
    entry.replaced = queue?.at(nonce);
    const evicted = makeRoom({ entry, nextNonce, standing }, this.options);
    book.put(entry, nextNonce, standing);
    return { entry, evicted };
  }

  /**
   * Puts back a transaction that was accepted before a restart.
   * @returns the evicted entries, which may include it
   */
  readmit({ transaction, acceptedMs, account }: JournalledTransaction): readonly PoolEntry[] {
    const { book, chain } = this.options;
    const entry = this.newEntry(transaction, Math.min(acceptedMs, chain.clock.now()));
    entry.durable = true;
    const standing = this.standingOf(transaction.sender, account, { isSubmittedHere: true });
    const replaced = book.put(entry, account?.nonce ?? 0n, standing);
    const evicted = [...trimSender(transaction.sender, this.options), ...trim(this.options)];
    return [...(replaced === undefined ? [] : [replaced]), ...evicted.map((one) => one.entry)];
  }

  private newEntry(transaction: SignedTransaction, enteredMs: number): PoolEntry {
    return createPoolEntry(transaction, { sequence: this.sequence++, enteredMs });
  }

  private standingOf(sender: Address, account: AccountState | undefined, origin: Origin): Standing {
    const wasLocal = this.options.book.queueOf(sender)?.standing === STANDING.local;
    return standingOf(account, {
      isOwn: this.options.isOwnAccount(sender),
      isSubmittedHere: origin.isSubmittedHere || wasLocal,
    });
  }

  private contextAfter({ header }: Block): PoolContext {
    const { chain, limits } = this.options;
    const block = { number: header.number + 1, timestamp: chain.secondsOf(header) };
    return { block, rules: chain.executor.rules(block), blockGasLimit: header.gasLimit, limits };
  }
}

function throwBarrier(barrier: TransactionBarrier | undefined): void {
  if (barrier !== undefined) throw new RequestError(barrier.reason, barrier.message, barrier.data);
}
