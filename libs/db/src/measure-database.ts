import type { Gauge, Metrics } from '@tetrad/types';
import type pg from 'pg';
import { readBackupEvents, type BackupEventKind } from './backup/backup-events.js';

/** The server adds up the sizes of the files: milliseconds, but not at every scrape. */
const SIZE_AGE_MS = 60_000;

/** Shows the connections, the size and the backups of a service's database at each scrape. */
export function measureDatabase(
  { pool, poolSize }: { pool: pg.Pool; poolSize: number },
  metrics: Metrics,
): void {
  const connections = metrics.gauge('tetrad_database_connections', 'Connections to the database, by use', [
    'state',
  ]);
  const waiting = metrics.gauge(
    'tetrad_database_waiting_requests',
    'Requests that wait for a free connection to the database',
  );
  metrics
    .gauge('tetrad_database_connections_max', 'Largest number of connections to the database')
    .set(poolSize);
  metrics.onScrape(() => {
    connections.set(pool.totalCount - pool.idleCount, { state: 'used' });
    connections.set(pool.idleCount, { state: 'idle' });
    waiting.set(pool.waitingCount);
  });
  metrics.onScrape(sizeReader(pool, metrics));
  metrics.onScrape(eventReader(pool, metrics));
}

function sizeReader(pool: pg.Pool, metrics: Metrics): () => Promise<void> {
  const size = metrics.gauge('tetrad_database_size_bytes', 'Size of the database on its server');
  let readMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = performance.now();
    if (now - readMs < SIZE_AGE_MS) return;
    const { rows } = await pool.query<{ bytes: number }>(
      'SELECT pg_database_size(current_database()) AS bytes',
    );
    size.set(rows[0]?.bytes ?? 0);
    readMs = now;
  };
}

function eventReader(pool: pg.Pool, metrics: Metrics): () => Promise<void> {
  const gauges: Readonly<Record<BackupEventKind, Gauge>> = {
    backup: metrics.gauge(
      'tetrad_backup_last_timestamp_seconds',
      'Unix time of the state in the newest recorded backup; 0 when none is recorded',
    ),
    verification: metrics.gauge(
      'tetrad_backup_last_verification_timestamp_seconds',
      'Unix time at which a backup was last verified; 0 when none was',
    ),
  };
  return async () => {
    const events = await readBackupEvents(pool);
    for (const [kind, gauge] of Object.entries(gauges) as [BackupEventKind, Gauge][])
      gauge.set((events.get(kind)?.getTime() ?? 0) / 1_000);
  };
}

/**
 * Shows whether the database answers and takes writes, and how fast it answers, by the questions of the connection watch.
 * @param options.takesWrites - as the last question showed
 */
export function measureAnswers(
  ask: () => Promise<unknown>,
  { metrics, takesWrites }: { readonly metrics: Metrics; readonly takesWrites: () => boolean },
): () => Promise<unknown> {
  const available = metrics.gauge(
    'tetrad_database_available',
    '1 while the database answers and takes writes, otherwise 0',
  );
  const seconds = metrics.histogram(
    'tetrad_database_round_trip_seconds',
    'Time that the database takes for the simplest query, every five seconds, the wait for a connection included',
  );
  // It has answered, as the service is about to start.
  available.set(1);
  return async () => {
    const started = performance.now();
    try {
      const answer = await ask();
      seconds.observe((performance.now() - started) / 1_000);
      available.set(takesWrites() ? 1 : 0);
      return answer;
    } catch (error) {
      available.set(0);
      throw error;
    }
  };
}
