import { BlockList, isIPv6 } from 'node:net';
import type { Endpoint } from '../identity/enode.js';

const own = new BlockList();
own.addSubnet('127.0.0.0', 8, 'ipv4');
own.addAddress('0.0.0.0', 'ipv4');
own.addAddress('::1', 'ipv6');
own.addAddress('::', 'ipv6');

/**
 * The address of a node that connected from one address and states another one: the stated one, unless that is a local
 * address and the node is not local.
 */
export function reachableEndpoint(stated: Endpoint, remote: Endpoint): Endpoint {
  const host = remote.host.replace(/^::ffff:(?=\d+\.)/, '');
  return isHere(stated.host) && !isHere(host) ? { host, port: stated.port } : stated;
}

function isHere(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true;
  if (isIPv6(host)) return own.check(host, 'ipv6');
  return /^[\d.]+$/.test(host) && own.check(host, 'ipv4');
}
