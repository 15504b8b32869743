import { OperatorError } from '@tetrad/types';

/** Where a server listens; the host may be the folder of a Unix socket. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

const MAX_CHARACTERS = 4_096;
const MAX_HOSTS = 8;
const DEFAULT_PORT = 5_432;

/** Parameters that are accepted. An unknown one is refused: a misspelt `sslmode` would otherwise mean no TLS. */
const PARAMETERS = [
  'host',
  'port',
  'sslmode',
  'ssl',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslnegotiation',
  'target_session_attrs',
  'connect_timeout',
  'application_name',
  'options',
  'client_encoding',
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'query_timeout',
] as const;

export type DatabaseParameter = (typeof PARAMETERS)[number];

const SCHEMES = ['postgresql://', 'postgres://'];

/**
 * The URL of a database as libpq reads it, with one host or several:
 * `postgresql://user:password@host1:5432,host2:5432/database?sslmode=verify-full&target_session_attrs=read-write`.
 */
export class DatabaseUrl {
  private constructor(
    private readonly parts: UrlParts,
    readonly servers: readonly ServerAddress[],
  ) {}

  /** @throws OperatorError that names the part, never the text, which may contain a password */
  static parse(text: string): DatabaseUrl {
    if (text.length > MAX_CHARACTERS) throw refusal(`is longer than ${MAX_CHARACTERS} characters`);
    const scheme = SCHEMES.find((one) => text.startsWith(one));
    if (scheme === undefined || text.includes('#'))
      throw refusal('must have the form postgresql://user@host:port/database');
    const [place = '', query = ''] = splitAt(text.slice(scheme.length), '?');
    const [named = '', database = ''] = splitAt(place, '/');
    if (database.includes('/')) throw refusal('must have the form postgresql://user@host:port/database');
    const at = named.lastIndexOf('@');
    const [credentials, authority] = [named.slice(0, Math.max(at, 0)), named.slice(at + 1)];
    const parameters = readParameters(query);
    const [user = '', password = ''] = splitAt(credentials, ':');
    for (const [name, part] of Object.entries({ user, password, database })) decode(part, name);
    return new DatabaseUrl(
      { scheme, user, password, authority, database, query, parameters },
      readServers(authority, parameters),
    );
  }

  get user(): string | undefined {
    return decode(this.parts.user, 'user') || undefined;
  }

  get password(): string | undefined {
    return decode(this.parts.password, 'password') || undefined;
  }

  get database(): string | undefined {
    return decode(this.parts.database, 'database') || undefined;
  }

  parameter(name: DatabaseParameter): string | undefined {
    return this.parts.parameters.get(name);
  }

  withPassword(password: string): DatabaseUrl {
    return new DatabaseUrl({ ...this.parts, password: encodeURIComponent(password) }, this.servers);
  }

  withDatabase(name: string): DatabaseUrl {
    return new DatabaseUrl({ ...this.parts, database: encodeURIComponent(name) }, this.servers);
  }

  /** With the password. */
  get href(): string {
    const { scheme, user, password, authority, database, query } = this.parts;
    const secret = password === '' ? '' : `:${password}`;
    const credentials = user === '' && secret === '' ? '' : `${user}${secret}@`;
    return `${scheme}${credentials}${authority}/${database}${query === '' ? '' : `?${query}`}`;
  }

  /** For messages: addresses and database, without user and password. */
  toString(): string {
    return `${this.servers.map(formatAddress).join(',')}/${this.database ?? ''}`;
  }

  toJSON(): string {
    return this.toString();
  }
}

interface UrlParts {
  readonly scheme: string;
  readonly user: string;
  readonly password: string;
  readonly authority: string;
  readonly database: string;
  readonly query: string;
  readonly parameters: ReadonlyMap<string, string>;
}

export function formatAddress({ host, port }: ServerAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The text before the first of the separators, and the text behind it. */
function splitAt(text: string, separator: string): readonly string[] {
  const index = text.indexOf(separator);
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + separator.length)];
}

function readParameters(query: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (!(PARAMETERS as readonly string[]).includes(name))
      throw refusal(
        `has the parameter ${JSON.stringify(name.slice(0, 40))}; known are ${PARAMETERS.join(', ')}`,
      );
    if (parameters.has(name)) throw refusal(`has the parameter ${name} twice`);
    parameters.set(name, value);
  }
  return parameters;
}

/** As in libpq, `host` and `port` among the parameters replace an empty authority. */
function readServers(authority: string, parameters: ReadonlyMap<string, string>): ServerAddress[] {
  const named = parameters.get('host');
  if (named !== undefined && authority !== '') throw refusal('names its host twice');
  const servers =
    named === undefined
      ? authority.split(',').map(readServer)
      : readNamed(named.split(','), (parameters.get('port') ?? '').split(','));
  if (servers.length > MAX_HOSTS) throw refusal(`has more than ${MAX_HOSTS} hosts`);
  return servers;
}

function readServer(text: string): ServerAddress {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-fA-F:.%]+)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? decode(plain ?? '', 'host');
  if (host === '') throw refusal('has a host that is empty or unreadable');
  return { host, port: readPort(port) };
}

function readNamed(hosts: readonly string[], ports: readonly string[]): ServerAddress[] {
  if (ports.length > 1 && ports.length !== hosts.length)
    throw refusal(`has ${hosts.length} hosts and ${ports.length} ports`);
  return hosts.map((host, index) => {
    if (host === '') throw refusal('has an empty host');
    return { host, port: readPort(ports[index] ?? ports[0]) };
  });
}

function readPort(text: string | undefined): number {
  if (text === undefined || text === '') return DEFAULT_PORT;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw refusal('has a port that is not from 1 to 65535');
  return port;
}

function decode(text: string, part: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refusal(`has a ${part} that is not percent-encoded`);
  }
}

function refusal(text: string): OperatorError {
  return new OperatorError(`the database URL ${text}`);
}
