import { readFile } from 'node:fs/promises';

/** The ports that a host gives to outgoing connections, both included. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/**
 * The range of this host.
 *
 * Source: ip(7), /proc/sys/net/ipv4/ip_local_port_range
 *
 * @returns undefined where the system does not report it
 */
export async function outgoingPorts(): Promise<PortRange | undefined> {
  const text = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').catch(() => '');
  const [, first, last] = /^(\d+)\s+(\d+)\s*$/.exec(text) ?? [];
  return first === undefined ? undefined : { first: Number(first), last: Number(last) };
}

/**
 * A warning about ports that an outgoing connection of any program may be given at any moment.
 *
 * @param ports those that a network wants
 * @param range that of the host
 * @returns undefined when none of them is in the range
 */
export function describeOverlap(ports: readonly number[], range: PortRange | undefined): string | undefined {
  if (range === undefined) return undefined;
  const { first, last } = range;
  const among = ports.filter((port) => port >= first && port <= last);
  if (among.length === 0) return undefined;
  return (
    `${among.length} of its ports are among those that this host gives to outgoing connections (${first} to ${last}): ` +
    'one may be in use for a while; ports below them, by --port-base, never are'
  );
}
