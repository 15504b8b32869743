import type { Socket } from 'node:net';
import type { Clock, Logger } from '@tetrad/types';
import type pg from 'pg';
import { endSessions, sessionsAtWork } from './server-session.js';

export interface SilentConnectionsOptions {
  /** Connections of a pool. */
  readonly open: ReadonlySet<pg.PoolClient>;
  /** The names of their sessions on the server; one without is not looked at. */
  readonly sessions: Pick<WeakMap<pg.ClientBase, string>, 'get'>;
  /** Opens a connection beside those of the pool. */
  readonly openBeside: () => Promise<pg.Client>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger?: Pick<Logger, 'warn'> | undefined;
}

/**
 * For how long a connection may owe an answer without a byte before the server is asked about it. On a busy host ten
 * seconds were seen in which an answer had arrived and was not read.
 */
const SILENT_MS = 20_000;

interface Silence {
  readonly bytesRead: number;
  readonly sinceMs: number;
}

/**
 * Finds connections whose packets vanish, as when a firewall has forgotten them: the system sends a statement again for
 * a quarter of an hour before it reports the loss, and keep-alives are not sent meanwhile.
 *
 * A statement may take as long as it likes: what decides is that the server, asked on a new connection, does not work
 * for the old one.
 */
export class SilentConnections {
  private readonly silences = new WeakMap<pg.PoolClient, Silence>();

  constructor(private readonly options: SilentConnectionsOptions) {}

  /**
   * Ends lost connections: their statements fail as those of any connection that breaks. To be called every few
   * seconds. Never rejects: a server that cannot be asked decides nothing.
   */
  async recheck(): Promise<void> {
    const silent = this.find();
    if (silent.size === 0) return;
    const client = await this.options.openBeside().catch(() => undefined);
    if (client === undefined) return;
    try {
      await this.endLost(client, silent);
    } catch {
      // Asked again next time.
    } finally {
      client.end().catch(() => undefined);
    }
  }

  /** Those that have owed an answer for long, with their sessions. */
  private find(): Map<pg.PoolClient, string> {
    const { open, sessions, clock } = this.options;
    const nowMs = clock.now();
    const silent = new Map<pg.PoolClient, string>();
    for (const client of open) {
      const session = sessions.get(client);
      if (session === undefined || !owesAnswer(client)) {
        this.silences.delete(client);
        continue;
      }
      const silence = this.silences.get(client);
      if (silence === undefined || !isSince(client, silence)) this.listenAnew(client, nowMs);
      else if (nowMs - silence.sinceMs >= SILENT_MS) silent.set(client, session);
    }
    return silent;
  }

  private listenAnew(client: pg.PoolClient, nowMs: number): void {
    this.silences.set(client, { bytesRead: bytesRead(client), sinceMs: nowMs });
  }

  private async endLost(asked: pg.Client, silent: ReadonlyMap<pg.PoolClient, string>): Promise<void> {
    const atWork = await sessionsAtWork(asked, [...silent.values()]);
    const lost = new Map<pg.PoolClient, string>();
    for (const [client, session] of silent) {
      const silence = this.silences.get(client);
      // What had arrived, and was not read in time, was read while the server was asked.
      if (silence === undefined || !isSince(client, silence)) continue;
      if (atWork.has(session)) this.listenAnew(client, this.options.clock.now());
      else lost.set(client, session);
    }
    if (lost.size === 0) return;
    this.options.logger?.warn('database connections no longer answer', { dropped: lost.size });
    try {
      // Else their locks would stay, and what is still on its way to them could be done later.
      await endSessions(asked, [...lost.values()]);
    } finally {
      for (const client of lost.keys())
        client.connection.stream.destroy(new Error('Connection terminated: its answers do not arrive'));
    }
  }
}

/** Whether nothing has arrived since. */
function isSince(client: pg.PoolClient, silence: Silence): boolean {
  return bytesRead(client) === silence.bytesRead;
}

function bytesRead(client: pg.PoolClient): number {
  return (client.connection.stream as Socket).bytesRead;
}

/** Whether a statement was sent whose answer is not whole; the driver says so without declaring it. */
function owesAnswer(client: pg.PoolClient): boolean {
  return (client as unknown as { readonly readyForQuery?: boolean }).readyForQuery === false;
}
