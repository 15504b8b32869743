import { CommitGroup } from '@tetrad/db';
import type { AuditHead, AuditRecord, AuditStore } from '@tetrad/signer-store';
import { hexFromBytes, type Clock } from '@tetrad/types';
import { chainAuditEntries } from './entry-hash.js';

/** Whether the signer did what was asked. */
export type AuditOutcome = 'allowed' | 'refused';

/** One decision about a request to sign. */
export interface AuditDecision {
  /** Who asked; empty without authentication. */
  readonly caller: string;
  /** The key that was asked for, as the caller named it when it is not held. */
  readonly key: string;
  readonly method: string;
  /** The 32 signed bytes; absent when the request failed before. */
  readonly digest?: Uint8Array | undefined;
  /** The transaction in the words of the request; bytes and integers are written as hex and decimal text. */
  readonly transaction?: object | undefined;
  readonly decision: AuditOutcome;
  /** Reason of the rejection, or the rule that allowed; empty without either. */
  readonly reason: string;
}

/** When an entry is on disk: once it is stored, or once a later commit of the same database is. */
export type AuditDurability = 'at-once' | 'with-a-later-commit';

/** Bytes of records that one statement writes, unless one record is larger: it is held several times while it is written. */
const GROUP_BYTES = 8 * 1_048_576;

/** Bytes of records that may wait for the database; beyond them requests are refused as when it is away. */
const WAITING_BYTES = 256 * 1_048_576;

interface PendingRecord {
  readonly record: AuditRecord;
  readonly durability: AuditDurability;
}

/**
 * The append-only record of decisions, one row each, chained by hashes.
 *
 * Entries of several replicas are put in one order by the lock of the chain's head, which is held for one short
 * transaction per group; decisions that arrive meanwhile form the next group.
 */
export class AuditLog {
  private readonly entries: CommitGroup<PendingRecord, void>;

  constructor(
    private readonly store: AuditStore,
    private readonly clock: Clock,
  ) {
    this.entries = new CommitGroup<PendingRecord, void>((group) => this.write(group), {
      bytes: { of: ({ record }) => textOf(record), group: GROUP_BYTES, waiting: WAITING_BYTES },
    });
  }

  /**
   * Resolves when the entry is stored; nothing that it allows may leave before.
   * @param durability - of the entry: a caller that commits nothing afterwards needs it at once
   * @throws the database's error; DatabaseUnavailableError when too much waits for it
   */
  append(decision: AuditDecision, durability: AuditDurability = 'at-once'): Promise<void> {
    return this.entries.add({ record: toRecord(decision, this.clock.now()), durability });
  }

  /** The newest entry: kept elsewhere it proves later that none was cut off. */
  head(): Promise<AuditHead> {
    return this.store.head();
  }

  private async write(group: readonly PendingRecord[]): Promise<void[]> {
    const records = group.map(({ record }) => record);
    const later = group.every(({ durability }) => durability === 'with-a-later-commit');
    await this.store.append((head) => chainAuditEntries(records, head), { later });
    return records.map(() => undefined);
  }
}

/** Length of what can be long in a record; its other texts are short. */
function textOf({ transaction = '' }: AuditRecord): number {
  return transaction.length;
}

function toRecord(decision: AuditDecision, timeMs: number): AuditRecord {
  const { caller, key, method, digest, transaction, reason } = decision;
  return {
    timeMs,
    caller: plainText(caller),
    key: plainText(key),
    method: plainText(method),
    digest,
    transaction: transaction === undefined ? undefined : JSON.stringify(transaction, writeValue),
    decision: decision.decision,
    reason: plainText(reason),
  };
}

/** Longest text of a caller that is kept, in UTF-16 units. */
const MAX_TEXT = 1_000;

/** What needs no look at each character: nearly every text. */
const PLAIN = new RegExp(`^[ -~]{0,${MAX_TEXT}}$`);

/** The text as PostgreSQL gives it back: without NUL and halves of characters, so that it hashes the same again. */
function plainText(text: string): string {
  if (PLAIN.test(text)) return text;
  return Buffer.from(text.slice(0, MAX_TEXT)).toString().replaceAll('\0', '\ufffd');
}

function writeValue(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Uint8Array ? hexFromBytes(value) : value;
}
