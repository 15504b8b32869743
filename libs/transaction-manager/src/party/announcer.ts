import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv4 } from 'node:net';

/** Names that are looked up for announcers at a time: each holds a thread of the process. */
const MAX_LOOKUPS = 2;

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

let lookups = 0;

/**
 * Whether a URL is at the address that announced it. What a stranger announces can make us ask him alone then, and
 * nothing else that we reach and he does not.
 * @param from - remote address of the connection
 */
export async function isAtAnnouncer(url: string, from: string): Promise<boolean> {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0) return isSameHost(host, from);
  if (lookups >= MAX_LOOKUPS) return false;
  lookups += 1;
  try {
    const found = await lookup(host, { all: true });
    return found.some(({ address }) => isSameHost(address, from));
  } catch {
    return false;
  } finally {
    lookups -= 1;
  }
}

/** Addresses of this host are one: a name of it may be any of them. */
export function isSameHost(a: string, b: string): boolean {
  const [one, other] = [plainAddress(a), plainAddress(b)];
  return one === other || (isLoopback(one) && isLoopback(other));
}

/** An IPv4 address that came over a socket of both kinds is the IPv4 address. */
function plainAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  return mapped?.[1] ?? address.toLowerCase();
}

function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && loopback.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}
