import type pg from 'pg';

/** Not part of a backup: a restored database has the events of the one that the backup is of no more. */
export const BACKUP_EVENTS = 'backup_event';

/** A backup was made; a backup was read back and verified. */
export const BACKUP_EVENT_KINDS = ['backup', 'verification'] as const;
export type BackupEventKind = (typeof BACKUP_EVENT_KINDS)[number];

/** When each kind of event last was; a kind without an event is missing. */
export type BackupEvents = ReadonlyMap<BackupEventKind, Date>;

/**
 * Records the event in the database of the service, which shows its age. An event that is older than the recorded one
 * changes nothing.
 * @param at - when it was; now, by the clock of the server, without it
 */
export async function recordBackupEvent(pool: pg.Pool, kind: BackupEventKind, at?: Date): Promise<void> {
  await pool.query(
    `INSERT INTO ${BACKUP_EVENTS} (kind, at) VALUES ($1, coalesce($2, now()))
     ON CONFLICT (kind) DO UPDATE SET at = greatest(${BACKUP_EVENTS}.at, excluded.at)`,
    [kind, at ?? null],
  );
}

export async function readBackupEvents(pool: pg.Pool): Promise<BackupEvents> {
  const { rows } = await pool.query<{ kind: BackupEventKind; at: Date }>(
    `SELECT kind, at FROM ${BACKUP_EVENTS}`,
  );
  return new Map(rows.map(({ kind, at }) => [kind, at]));
}
