import { isIPv4, isIPv6 } from 'node:net';
import { TetradError } from '@tetrad/types';
import { parseNodeId, type NodeId } from './node-id.js';

/** Where a node is reached. */
export interface Endpoint {
  /** IPv4 or IPv6 address without brackets, or a DNS name. */
  readonly host: string;
  readonly port: number;
}

/** Identity and address of a node. Source: GoQuorum p2p/enode/urlv4.go, for names and texts of errors. */
export interface Enode extends Endpoint {
  readonly nodeId: NodeId;
  /** UDP discovery, which Tetrad does not have; kept as it was given. */
  readonly discport?: number;
  /** Port of the raft transport. */
  readonly raftport?: number;
}

/** The text is not an enode URL; the message is the one of the reference client. */
export class EnodeError extends TetradError {
  override readonly name = 'EnodeError';
  override readonly code = 'INVALID_ENODE';
}

const MAX_ENODE_LENGTH = 512;
const FORM = /^enode:\/\/(?:([^@/?#]*)@)?(\[[^\]/?#@]*\]|[^:/?#@[\]]*)(?::([^/?#]*))?\/?(?:\?([^#]*))?$/;
const DNS_NAME =
  /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.?$/i;

/**
 * Reads `enode://<128 hex digits>@<host>:<port>[?discport=N][&raftport=N]`.
 * @throws EnodeError naming the part that is wrong
 */
export function parseEnode(text: string): Enode {
  if (!text.startsWith('enode://')) throw new EnodeError('invalid URL scheme, want "enode"');
  const parts = text.length > MAX_ENODE_LENGTH ? null : FORM.exec(text);
  if (parts === null) throw new EnodeError('invalid enode URL');
  const [, id, host = '', port, query] = parts;
  if (id === undefined || id === '') throw new EnodeError('does not contain node ID');
  return {
    nodeId: readNodeId(id),
    host: readHost(host),
    port: readPort(port ?? '', 'port', 1),
    ...readQuery(query),
  };
}

/** The URL of the node; `parseEnode` reads it back. */
export function formatEnode({ nodeId, host, port, discport, raftport }: Enode): string {
  const query = [
    ...(discport === undefined ? [] : [`discport=${discport}`]),
    ...(raftport === undefined ? [] : [`raftport=${raftport}`]),
  ].join('&');
  return `enode://${nodeId}@${formatEndpoint({ host, port })}${query === '' ? '' : `?${query}`}`;
}

/** `host:port`, an IPv6 address in brackets. */
export function formatEndpoint({ host, port }: Endpoint): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Whether the text is an IP address or a DNS name. */
export function isHost(text: string): boolean {
  if (isIPv4(text) || isIPv6(text)) return true;
  // Four numbers with dots that are not an address are a typing error, never a name.
  return DNS_NAME.test(text) && !/^[\d.]+$/.test(text);
}

function readNodeId(id: string): NodeId {
  try {
    return parseNodeId(id);
  } catch (error) {
    throw new EnodeError(`invalid public key (${error instanceof Error ? error.message : String(error)})`);
  }
}

function readHost(text: string): string {
  const host = text.startsWith('[') ? text.slice(1, -1) : text;
  if (text.startsWith('[') ? !isIPv6(host) : !isHost(host)) throw new EnodeError('invalid host');
  return host;
}

function readPort(text: string, name: string, least: number): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port >= least && port <= 65_535) return port;
  throw new EnodeError(name === 'port' ? 'invalid port' : `invalid ${name} in query`);
}

function readQuery(query: string | undefined): Pick<Enode, 'discport' | 'raftport'> {
  if (query === undefined || query === '') return {};
  const ports = new Map<string, number>();
  for (const pair of query.split('&')) {
    const [key = '', value = '', ...rest] = pair.split('=');
    if ((key !== 'discport' && key !== 'raftport') || ports.has(key) || rest.length > 0) {
      throw new EnodeError('invalid query: only discport and raftport may be given, each once');
    }
    ports.set(key, readPort(value, key, key === 'discport' ? 0 : 1));
  }
  const [discport, raftport] = [ports.get('discport'), ports.get('raftport')];
  return {
    ...(discport === undefined ? {} : { discport }),
    ...(raftport === undefined ? {} : { raftport }),
  };
}
