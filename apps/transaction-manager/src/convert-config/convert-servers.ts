import type { SettingsConversion } from '@tetrad/service';
import { OperatorError } from '@tetrad/types';
import { convertTls } from './convert-tls.js';
import type { TesseraConfig, TesseraServer } from './tessera-config.js';

const PORTS_FROM_09 = ['Q2T', 'P2P', 'ThirdParty', 'ENCLAVE', 'ADMIN'];

/**
 * The ports of a Tessera.
 * @throws OperatorError that names the member that is wrong
 */
export function convertServers(config: TesseraConfig, conversion: SettingsConversion): void {
  const seen = new Map<string, string>();
  for (const [name, server] of serversOf(config)) {
    if (!server.enabled) {
      conversion.ignore(name, 'is not enabled');
      continue;
    }
    const kind = convertServer(name, server, conversion);
    const first = kind === undefined ? undefined : seen.get(kind);
    if (first !== undefined)
      throw new OperatorError(`${name}: ${first} is one already, and one ${kind} is served here`);
    if (kind !== undefined) seen.set(kind, name);
  }
}

/** Servers by their places in the configuration; those of versions before 0.9 as later ones name them. */
function serversOf({ server, serverConfigs, unixSocketFile }: TesseraConfig): [string, TesseraServer][] {
  const servers: [string, TesseraServer][] = (serverConfigs ?? []).map((one, index) => [
    `serverConfigs.${index} (${one.app})`,
    one,
  ]);
  if (server !== undefined) {
    const { hostName, port, bindingAddress, sslConfig } = server;
    const serverAddress = port === undefined ? hostName : `${hostName}:${port}`;
    servers.push(['server', { app: 'P2P', enabled: true, serverAddress, bindingAddress, sslConfig }]);
  }
  if (unixSocketFile !== undefined)
    servers.push(['unixSocketFile', { app: 'Q2T', enabled: true, serverAddress: `unix:${unixSocketFile}` }]);
  return servers;
}

/** Of version 0.9, for a socket file; later ones say REST. */
const OVER_HTTP = ['REST', 'UNIX_SOCKET'];

/** @returns what it is, of which there is one; undefined when it was ignored */
function convertServer(
  name: string,
  server: TesseraServer,
  conversion: SettingsConversion,
): string | undefined {
  const { app, communicationType = 'REST' } = server;
  if (!PORTS_FROM_09.includes(app)) throw new OperatorError(`${name}: app ${app} is not known`);
  if (app === 'ENCLAVE')
    throw new OperatorError(
      `${name}: there are no remote enclaves here: give the keys of the enclave instead`,
    );
  if (app === 'ADMIN') {
    conversion.ignore(name, 'there is no admin port; use the commands');
    return undefined;
  }
  if (!OVER_HTTP.includes(communicationType)) {
    conversion.ignore(name, `there is no ${communicationType}, only REST`);
    return undefined;
  }
  const address = addressOf(name, server);
  if (server.cors !== undefined)
    conversion.ignore(`${name} cors`, 'browsers have no access to this port here');
  if (app === 'P2P') convertTls(name, server.sslConfig, conversion);
  else if (server.sslConfig !== undefined)
    conversion.ignore(`${name} sslConfig`, 'only the peer port has TLS: keep this one on this host');
  if (app === 'Q2T') return convertClientPort(name, { ...server, address }, conversion);
  const listen = server.bindingAddress === undefined ? address : parseAddress(name, server.bindingAddress);
  if (typeof address === 'string' || typeof listen === 'string')
    throw new OperatorError(`${name}: a socket file is for Q2T only`);
  const group = app === 'P2P' ? 'peer' : 'third-party';
  if (app === 'P2P') conversion.take(`${name} serverAddress`, 'peer-url', address.href);
  conversion.take(`${name} host`, `${group}-listen-host`, hostOf(listen));
  conversion.take(`${name} port`, `${group}-listen-port`, portOf(listen));
  return `${app} server`;
}

/** Of nodes: a socket file, or a port. */
function convertClientPort(
  name: string,
  { address, bindingAddress }: Pick<TesseraServer, 'bindingAddress'> & { readonly address: URL | string },
  conversion: SettingsConversion,
): string {
  const listen = bindingAddress === undefined ? address : parseAddress(name, bindingAddress);
  if (typeof listen === 'string') {
    conversion.take(name, 'client-socket', listen);
    return 'socket file of Q2T';
  }
  conversion.take(`${name} host`, 'http-listen-host', hostOf(listen));
  conversion.take(`${name} port`, 'http-listen-port', portOf(listen));
  return 'port of Q2T';
}

/** A URL, or the path of a socket file. */
function addressOf(name: string, { serverAddress, serverSocket }: TesseraServer): URL | string {
  if (serverAddress !== undefined) return parseAddress(name, serverAddress);
  if (serverSocket?.path !== undefined) return serverSocket.path;
  return parseAddress(name, `${serverSocket?.hostName ?? ''}:${serverSocket?.port ?? ''}`);
}

function parseAddress(name: string, text: string): URL | string {
  const [, path] = /^unix:(.+)$/.exec(text) ?? [];
  if (path !== undefined) return path;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && ['http:', 'https:'].includes(url.protocol)) return url;
  throw new OperatorError(`${name}: ${text.slice(0, 200)} is not an address such as http://localhost:9001`);
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}
