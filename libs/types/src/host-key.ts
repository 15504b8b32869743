/** Groups of 16 bits of an IPv6 network prefix; a host of the network has all addresses of it. */
const NETWORK_GROUPS = 4;

/**
 * A key for all addresses of one host: an IPv4 address, or the /64 of an IPv6 one.
 * @param address - as a socket reports it; a host name is its own key
 */
export function hostKey(address: string): string {
  const [plain = ''] = address.replace(/^::ffff:(?=\d+\.)/i, '').split('%');
  if (!plain.includes(':')) return plain;
  const [before = '', after] = plain.split('::');
  const groups = before === '' ? [] : before.split(':');
  const known = after === undefined || after === '' ? [] : after.split(':');
  // "::" is the zero groups that are missing of eight.
  const zeros = after === undefined ? 0 : 8 - groups.length - known.length;
  const all = [...groups, ...Array<string>(zeros).fill('0'), ...known];
  const network = all.slice(0, NETWORK_GROUPS).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
