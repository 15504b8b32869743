import { BlockList, isIP } from 'node:net';

/** Ranges that are not the public internet (IANA special-purpose registries, RFC 6890). */
const IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** For IPv6 also the ranges that carry an IPv4 address (NAT64, 6to4, Teredo), since that could be any of the above. */
const IPV6: readonly (readonly [string, number])[] = [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
];

const ranges = new BlockList();
for (const [network, prefix] of IPV4) ranges.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of IPV6) ranges.addSubnet(network, prefix, 'ipv6');

/** Whether the address literal is loopback, link-local, private or otherwise not a public host's. */
export function isPrivateAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 0) throw new TypeError(`not an IP address: ${address}`);
  // A mapped address (::ffff:10.0.0.1) is looked up among the IPv4 ranges by Node itself.
  return ranges.check(address, version === 4 ? 'ipv4' : 'ipv6');
}
