import { InvalidTransactionError, MissingTrieNodeError, type WorldState } from '@tetrad/node-execution';
import type { PoolEntry, Selection, TransactionPool } from '@tetrad/node-pool';
import { LedgerStoreError } from '@tetrad/node-store';
import type { Logger } from '@tetrad/types';
import type { BlockExecution } from './block-execution.js';

/** Minimum gas of a transaction (EIP-2). */
const LEAST_GAS = 21_000n;

/**
 * Limit on the transactions of one block, in bytes. Gas bounds them too, but with a high gas limit blocks could grow
 * beyond what validators accept from each other (12 MiB a message, docs/adr/0034), and the chain would stop.
 */
const MAX_TRANSACTION_BYTES = 8 * 1024 * 1024;

export interface BlockDraftParts {
  readonly execution: BlockExecution;
  readonly pool: Pick<TransactionPool, 'select' | 'discard'>;
  readonly logger: Logger;
  /** Whether the error is an unavailable database, and not a fault of the transaction. */
  readonly isDatabaseUnavailable: (error: unknown) => boolean;
}

/** A block being built: the transactions executed so far, and the next candidates. */
export class BlockDraft {
  readonly execution: BlockExecution;
  private readonly selection: Selection;
  private readonly release: () => void;
  /** The transaction that is being executed; a world is only consistent between two of them. */
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

  /**
   * Executes the next transaction, if there is one.
   * @throws as the database does
   */
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
      // The next transaction may have begun before this continues.
    } while (running !== this.running);
    return this.execution.world.copy();
  }

  /** Ends the draft: new transactions are no longer offered to it. */
  close(): void {
    this.release();
  }

  private async execute(entry: PoolEntry): Promise<void> {
    const { length } = entry.transaction.raw;
    // It stays for the next block, and with it its sender's later transactions.
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

  /** Whether the state could not be read, which is not a fault of the transaction. */
  private isOurs(error: unknown): boolean {
    return (
      this.parts.isDatabaseUnavailable(error) ||
      error instanceof MissingTrieNodeError ||
      error instanceof LedgerStoreError
    );
  }

  /** A transaction that crashes the EVM implementation must not stop the chain; the journal keeps it. */
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
