import type { SettingsConversion } from '@tetrad/service';
import { OperatorError } from '@tetrad/types';
import type { TesseraConfig, TesseraServer } from './tessera-config.js';

const PORTS_FROM_09 = ['Q2T', 'P2P', 'ThirdParty', 'ENCLAVE', 'ADMIN'];

/** The ports of a Tessera. Fails: OperatorError that names the member that is wrong */
export function convertServers(config: TesseraConfig, conversion: SettingsConversion): void {
  for (const [name, server] of serversOf(config)) {
    if (!server.enabled) conversion.ignore(name, 'is not enabled');
    else convertServer(name, server, conversion);
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

function convertServer(name: string, server: TesseraServer, conversion: SettingsConversion): void {
  const { app, communicationType = 'REST' } = server;
  if (!PORTS_FROM_09.includes(app)) throw new OperatorError(`${name}: app ${app} is not known`);
  if (app === 'ENCLAVE')
    throw new OperatorError(
      `${name}: there are no remote enclaves here: give the keys of the enclave instead`,
    );
  if (app === 'ADMIN') return conversion.ignore(name, 'there is no admin port; use the commands');
  if (communicationType !== 'REST')
    return conversion.ignore(name, `there is no ${communicationType}, only REST`);
  const address = addressOf(name, server);
  if (app === 'Q2T') return convertClientPort(name, address, conversion);
  const listen = server.bindingAddress === undefined ? address : parseAddress(name, server.bindingAddress);
  if (typeof address === 'string' || typeof listen === 'string')
    throw new OperatorError(`${name}: a socket file is for Q2T only`);
  const group = app === 'P2P' ? 'peer' : 'third-party';
  if (app === 'P2P') conversion.take(`${name} serverAddress`, 'peer-url', address.href);
  conversion.take(`${name} host`, `${group}-listen-host`, hostOf(listen));
  conversion.take(`${name} port`, `${group}-listen-port`, portOf(listen));
  if (server['cors'] !== undefined)
    conversion.ignore(`${name} cors`, 'browsers have no access to this port here');
  if (app === 'P2P') convertTls(name, server.sslConfig, conversion);
}

/** Of nodes: a socket file, or a port. */
function convertClientPort(name: string, address: URL | string, conversion: SettingsConversion): void {
  if (typeof address === 'string') return conversion.take(name, 'client-socket', address);
  conversion.take(`${name} host`, 'http-listen-host', hostOf(address));
  conversion.take(`${name} port`, 'http-listen-port', portOf(address));
}

type Ssl = Readonly<Record<string, unknown>> & { readonly tls: string };

/** PEM files are taken; Java key stores have to be exported, and the start fails until they are. */
function convertTls(name: string, ssl: Ssl | undefined, conversion: SettingsConversion): void {
  if (ssl === undefined || ssl.tls.toUpperCase() === 'OFF') return;
  const own = pemOr(ssl['serverTlsCertificatePath'], 'peer-cert.pem');
  const key = pemOr(ssl['serverTlsKeyPath'], 'peer-key.pem');
  const [authority] = Array.isArray(ssl['serverTrustCertificates']) ? ssl['serverTrustCertificates'] : [];
  const ca = pemOr(authority, 'peer-ca.pem');
  const options = { 'peer-tls-cert-file': own, 'peer-tls-key-file': key, 'peer-tls-ca-file': ca };
  for (const [option, { path, isGiven }] of Object.entries(options)) {
    if (isGiven) conversion.take(`${name} sslConfig`, option, path);
    else conversion.change(`${name} sslConfig`, option, path, 'export it from the key store as PEM');
  }
}

function pemOr(path: unknown, name: string): { path: string; isGiven: boolean } {
  return typeof path === 'string' && path !== '' ? { path, isGiven: true } : { path: name, isGiven: false };
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
