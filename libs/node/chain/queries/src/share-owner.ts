import { isIPv6 } from 'node:net';

/** The caller, as far as the transport knows it. */
export interface Asker {
  /** Subject of a verified token. */
  readonly subject?: string | undefined;
  readonly address?: string | undefined;
}

/**
 * The owner to which a bounded resource of a caller is counted: the subject of the token where tokens are required,
 * otherwise the address. A host has a whole /64 of IPv6 addresses, so these count as one.
 */
export function shareOwner({ subject, address = '' }: Asker): string {
  return subject === undefined ? `address ${networkOf(address)}` : `subject ${subject}`;
}

function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped !== null) return mapped[1] as string;
  return isIPv6(address) ? firstGroups(address).join(':') : address;
}

/** The first four of the eight groups, without leading zeros. */
function firstGroups(address: string): string[] {
  const [head = '', tail] = address.split('::').map((part) => part.split('%', 1)[0] ?? '');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = new Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...zeros, ...after].slice(0, 4).map((group) => parseInt(group, 16).toString(16));
}
