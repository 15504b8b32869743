import type { WorldState } from '@tetrad/node-execution';
import { InvalidTransactionError, MissingTrieNodeError } from '@tetrad/node-execution';
import type { PoolEntry, Selection, TransactionPool } from '@tetrad/node-pool';
import { LedgerStoreError } from '@tetrad/node-store';
import type { Logger } from '@tetrad/types';
import type { BlockExecution } from './block-execution.js';

/** What a transaction that may fit any block needs at least (EIP-2). */
const LEAST_GAS = 21_000n;

/**
 * Transactions of one block, in bytes. Gas bounds them too, but a chain with a lot of it would let blocks grow beyond
 * what validators take from each other (12 MiB a message, docs/adr/0034), and stand still.
 */
export const MAX_TRANSACTION_BYTES = 8 * 1024 * 1024;

export interface BlockDraftParts {
  readonly execution: BlockExecution;
  readonly pool: Pick<TransactionPool, 'select' | 'discard'>;
  readonly logger: Logger;
  /** Whether the error says that the database is unavailable, and nothing of the transaction. */
  readonly isDatabaseUnavailable: (error: unknown) => boolean;
}

/** A block in the making: what it has executed so far, and what it may take next. */
export class BlockDraft {
  readonly execution: BlockExecution;
  private readonly selection: Selection;
  private readonly release: () => void;
  /** The transaction that is being executed; a world is only whole between two of them. */
  private running: Promise<unknown> = Promise.resolve();
  private broken = false;
  private bytes = 0;

  constructor(private readonly parts: BlockDraftParts) {
    this.execution = parts.execution;
    const { selection, release } = parts.pool.select();
    this.selection = selection;
    this.release = release;
  }

  get isEmpty(): boolean {
    return this.execution.transactions.length === 0;
  }

  /** Whether there is a transaction to try. */
  get hasNext(): boolean {
    return this.execution.gasLeft >= LEAST_GAS && !this.selection.isEmpty;
  }

  /** Whether it holds half of a transaction, so that it must not become a block. */
  get isBroken(): boolean {
    return this.broken;
  }

  /** Whether it holds a transaction that was replaced meanwhile. */
  get isOutdated(): boolean {
    return this.selection.isOutdated;
  }

  /** Executes the next transaction, if there is one. Fails: as the database does. */
  async executeNext(): Promise<void> {
    const entry = this.selection.next();
    if (entry === undefined) return;
    const attempt = this.execute(entry);
    this.running = attempt.catch(() => undefined);
    await attempt;
  }

  /** A copy of the state so far. */
  async copyWorld(): Promise<WorldState> {
    let running: Promise<unknown>;
    do {
      running = this.running;
      await running;
      // The next transaction may have begun before we heard of the end of the last.
    } while (running !== this.running);
    return this.execution.world.copy();
  }

  /** Ends the draft: newcomers are offered to it no more. */
  close(): void {
    this.release();
  }

  private async execute(entry: PoolEntry): Promise<void> {
    const { length } = entry.transaction.raw;
    // It stays for the next block, and with it what its sender sent after it.
    if (this.bytes + length > MAX_TRANSACTION_BYTES) return;
    try {
      await this.execution.add(entry.transaction);
      this.bytes += length;
      this.selection.accept(entry);
    } catch (error) {
      if (error instanceof InvalidTransactionError) return this.refuse(entry, error);
      if (this.isOurs(error)) throw error;
      this.setAside(entry, error);
    }
  }

  private async refuse(entry: PoolEntry, { code, message }: InvalidTransactionError): Promise<void> {
    // Too large for what is left of this block, or waiting for another: it stays for the next one.
    if (code === 'GAS_LIMIT_EXCEEDED' || code === 'NONCE_TOO_HIGH') return;
    await this.parts.pool.discard(entry, message);
  }

  /** Whether the state could not be read, which says nothing of the transaction. */
  private isOurs(error: unknown): boolean {
    return (
      this.parts.isDatabaseUnavailable(error) ||
      error instanceof MissingTrieNodeError ||
      error instanceof LedgerStoreError
    );
  }

  /** A transaction that trips the EVM's implementation must not hold the chain up; the journal keeps it. */
  private setAside(entry: PoolEntry, error: unknown): void {
    entry.setAside = true;
    this.broken = true;
    const { hash } = entry.transaction;
    this.parts.logger.error('transaction could not be executed, set aside until the next start', {
      hash,
      error,
    });
  }
}
