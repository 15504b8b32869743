import { BlockList, isIP, isIPv4 } from 'node:net';
import { hostKey } from '@tetrad/types';
import { lookUpInSystem, type LookUp } from './look-up.js';

/** Names that are looked up for announcers at a time: each holds one of the four threads that the process has for such calls. */
const MAX_LOOKUPS = 2;

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Finds out which managers announce themselves. */
export class Announcers {
  /** Hosts for which a name is looked up: one each, so that none holds the places of others by names that answer late. */
  private readonly served = new Set<string>();

  constructor(private readonly lookUp: LookUp = lookUpInSystem) {}

  /**
   * Whether a URL is at the address that announced it. What a stranger announces can make us ask him alone then, and
   * nothing else that we reach and he does not.
   * @param from - remote address of the connection
   */
  async isAt(url: string, from: string): Promise<boolean> {
    const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(host) !== 0) return isSameHost(host, from);
    const asker = hostKey(from);
    if (this.served.size >= MAX_LOOKUPS || this.served.has(asker)) return false;
    this.served.add(asker);
    try {
      const found = await this.lookUp(host);
      return found.some((address) => isSameHost(address, from));
    } catch {
      return false;
    } finally {
      this.served.delete(asker);
    }
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
