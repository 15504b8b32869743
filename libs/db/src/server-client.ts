import type { ConnectionOptions } from 'node:tls';
import { OperatorError } from '@tetrad/types';
import pg from 'pg';
import type { DatabaseUrl, ServerAddress } from './database-url.js';
import { DatabaseUnavailableError } from './database-unavailable.js';
import { ServerSelection } from './server-selection.js';
import { readTls, tlsFailure, tlsSettingsOf } from './tls-settings.js';

/** Dead hosts are noticed after 20 s: the system asks ten times, a second apart, once a connection is silent so long. */
const KEEP_ALIVE_DELAY_MS = 10_000;

/** Function of PostgreSQL that warns when the wait of a commit for its standby is cancelled. */
const SYNCHRONOUS_WAIT = 'SyncRepWaitForLSN';
/** The server then reports success; a commit that only the primary has would be lost with it. */
const NOT_REPLICATED = 'Connection terminated: a commit was not confirmed by the synchronous standby';

/** Connections to a database: which servers, and the class of clients that connect to the chosen one. */
export interface Connector {
  readonly selection: ServerSelection;
  readonly config: pg.ClientConfig;
  readonly Client: new (config?: pg.ClientConfig) => pg.Client;
}

/** @throws OperatorError that names the part of the URL */
export function connectorTo(url: DatabaseUrl): Connector {
  const config = clientConfigOf(url);
  const selection: ServerSelection = new ServerSelection(url, async (server, timeoutMs) => {
    const client = new Client({ ...config, connectionTimeoutMillis: timeoutMs });
    await client.reach(server);
    return client;
  });

  class Client extends ServerClient {
    constructor(given: pg.ClientConfig = config) {
      super(given, selection);
    }
  }
  return { selection, config, Client };
}

/** A client that connects to the server chosen when it connects; the driver itself knows one host, given beforehand. */
class ServerClient extends pg.Client {
  constructor(
    config: pg.ClientConfig,
    private readonly selection: ServerSelection,
  ) {
    super(config);
    // A connection that breaks rejects its queries and makes the pool replace it; without a listener it would end the process.
    this.on('error', () => undefined);
    this.on('notice', ({ routine }) => {
      if (routine === SYNCHRONOUS_WAIT) this.break(new Error(NOT_REPLICATED));
    });
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void;
  override connect(callback?: (error: never, client: never) => void): Promise<pg.Client> | void {
    const connected = this.reachChosen();
    if (callback === undefined) return connected;
    connected.then(
      () => callback(undefined as never, this as never),
      (error: unknown) => callback(error as never, undefined as never),
    );
  }

  /**
   * Connects to the server.
   * @throws as the driver does; DatabaseUnavailableError that says what is wrong with TLS
   */
  async reach(server: ServerAddress): Promise<void> {
    this.host = server.host;
    this.port = server.port;
    const tls = await readTls(this.selection.tls);
    if (tls !== undefined) (this.connection as unknown as { ssl: ConnectionOptions }).ssl = tls;
    try {
      await super.connect();
    } catch (error) {
      const failure = tlsFailure(error, server.host);
      throw failure === undefined ? error : new DatabaseUnavailableError(failure, { cause: error });
    }
  }

  /** Rejects the query that is running, whose answer may have arrived already, and closes the connection. */
  private break(error: Error): void {
    this.connection.emit('error', error);
    this.connection.stream.destroy();
  }

  private async reachChosen(): Promise<pg.Client> {
    const { selection } = this;
    const server = await selection.choose();
    try {
      await this.reach(server);
      await selection.confirm(server, this);
      return this;
    } catch (error) {
      selection.forget(server);
      // The pool leaves a client that failed to connect to itself.
      this.connection.stream.destroy();
      throw error;
    }
  }
}

/** Whether the driver asks for TLS; the settings are added when a connection is opened. Without both, PGSSLMODE applies. */
function sslFlagOf(url: DatabaseUrl): Pick<pg.ClientConfig, 'ssl'> {
  if (tlsSettingsOf(url).mode !== 'disable') return { ssl: {} };
  return url.parameter('sslmode') === undefined && url.parameter('ssl') === undefined ? {} : { ssl: false };
}

const MILLISECONDS = [
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'query_timeout',
] as const;
const TEXTS = ['application_name', 'options', 'client_encoding'] as const;

function clientConfigOf(url: DatabaseUrl): pg.ClientConfig {
  const { user, password, database } = url;
  const [first] = url.servers as [ServerAddress];
  const negotiation = url.parameter('sslnegotiation') ?? 'postgres';
  if (negotiation !== 'postgres' && negotiation !== 'direct')
    throw new OperatorError('the database URL has an sslnegotiation that is neither postgres nor direct');
  const texts = TEXTS.map((name) => [name, url.parameter(name)] as const);
  const numbers = MILLISECONDS.map((name) => [name, millisecondsOf(url, name)] as const);
  return {
    host: first.host,
    port: first.port,
    sslnegotiation: negotiation,
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password }),
    ...(database === undefined ? {} : { database }),
    ...Object.fromEntries([...texts, ...numbers].filter(([, value]) => value !== undefined)),
    ...sslFlagOf(url),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
  };
}

function millisecondsOf(url: DatabaseUrl, name: (typeof MILLISECONDS)[number]): number | undefined {
  const text = url.parameter(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text))
    throw new OperatorError(`the database URL has a ${name} that is not a number of milliseconds`);
  return Number(text);
}
