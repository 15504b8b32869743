import { OperatorError } from '@tetrad/types';
import type pg from 'pg';
import type { DatabaseUrl, ServerAddress } from './database-url.js';
import { DatabaseUnavailableError, NoPrimaryError, reasonOf } from './database-unavailable.js';
import { askForReport, choosePrimary, type KnownCluster, type ServerAnswer } from './server-report.js';
import { tlsFailure, tlsSettingsOf, type TlsSettings } from './tls-settings.js';

/** For one server to accept a connection and describe itself, unless `connect_timeout` says otherwise. */
const SERVER_TIMEOUT_MS = 10_000;
/** The pool gives up after thirty seconds. */
const LONGEST_TIMEOUT_S = 25;

/** Connects to one server, without a choice. */
export type Dial = (server: ServerAddress, timeoutMs: number) => Promise<pg.Client>;

/**
 * Which of the servers of a URL is used. One server without `target_session_attrs=read-write` is used as it is; else a
 * connection is only used when its server is the primary.
 */
export class ServerSelection {
  readonly tls: TlsSettings;
  readonly isChecked: boolean;
  readonly timeoutMs: number;
  /** Called when another server than before was chosen; connections to others are of no use. */
  onMoved: (server: ServerAddress, former: ServerAddress) => void = () => undefined;
  private last: ServerAddress | undefined;
  private current: ServerAddress | undefined;
  private known: KnownCluster | undefined;
  private finding: Promise<ServerAddress> | undefined;

  /** @throws OperatorError that names a parameter */
  constructor(
    readonly url: DatabaseUrl,
    private readonly dial: Dial,
  ) {
    this.tls = tlsSettingsOf(url);
    this.isChecked = mustBePrimary(url);
    this.timeoutMs = timeoutOf(url);
  }

  /** @throws DatabaseUnavailableError that names each server and why it is not used */
  async choose(): Promise<ServerAddress> {
    const [first] = this.url.servers as [ServerAddress];
    if (!this.isChecked) return first;
    return this.current ?? this.find();
  }

  /** A connection to the server failed, so that the next one asks all servers. */
  forget(server: ServerAddress): void {
    if (this.current === server) this.current = undefined;
  }

  /** Asks all servers again: one may have been promoted while the former primary still answers. */
  async recheck(): Promise<void> {
    if (this.isChecked && this.url.servers.length > 1) await this.find();
  }

  /**
   * Checks a new connection to the chosen server.
   * @throws DatabaseUnavailableError when it must not be used
   */
  async confirm(server: ServerAddress, client: Pick<pg.ClientBase, 'query'>): Promise<void> {
    if (!this.isChecked) return;
    this.decide([{ server, report: await askForReport(client, this.timeoutMs) }]);
  }

  private find(): Promise<ServerAddress> {
    this.finding ??= Promise.all(this.url.servers.map((server) => this.ask(server)))
      .then((answers) => this.decide(answers))
      .finally(() => (this.finding = undefined));
    return this.finding;
  }

  private decide(answers: readonly ServerAnswer[]): ServerAddress {
    const choice = choosePrimary(answers, this.known);
    if ('refusal' in choice) {
      this.current = undefined;
      throw choice.mayPass
        ? new NoPrimaryError(choice.refusal)
        : new DatabaseUnavailableError(choice.refusal);
    }
    const former = this.last;
    this.last = this.current = choice.server;
    this.known = choice.known;
    if (former !== undefined && former !== choice.server) this.onMoved(choice.server, former);
    return choice.server;
  }

  private async ask(server: ServerAddress): Promise<ServerAnswer> {
    let client: pg.Client | undefined;
    try {
      client = await this.dial(server, this.timeoutMs);
      return { server, report: await askForReport(client, this.timeoutMs) };
    } catch (error) {
      return { server, failure: tlsFailure(error, server.host) ?? reasonOf(error) };
    } finally {
      client?.end().catch(() => undefined);
    }
  }
}

function mustBePrimary(url: DatabaseUrl): boolean {
  const wanted = url.parameter('target_session_attrs');
  if (wanted === undefined) return url.servers.length > 1;
  if (wanted === 'any' && url.servers.length === 1) return false;
  if (wanted === 'read-write' || wanted === 'primary') return true;
  throw new OperatorError(
    'the database URL has a target_session_attrs that a service cannot use; it writes, so it must be read-write',
  );
}

function timeoutOf(url: DatabaseUrl): number {
  const text = url.parameter('connect_timeout');
  if (text === undefined) return SERVER_TIMEOUT_MS;
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (seconds < 1 || seconds > LONGEST_TIMEOUT_S)
    throw new OperatorError(
      `the database URL has a connect_timeout that is not from 1 to ${LONGEST_TIMEOUT_S} seconds`,
    );
  return seconds * 1_000;
}
