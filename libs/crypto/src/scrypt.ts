import { scrypt as scryptOfNode } from 'node:crypto';
import { promisify } from 'node:util';

/** The cost of a guess: N (a power of two), r and p of RFC 7914. */
export interface ScryptCost {
  readonly n: number;
  readonly r: number;
  readonly p: number;
}

/** Memory of OpenSSL beyond the table of scrypt itself, in bytes. */
const SLACK = 2 ** 20;

const scryptAsync = promisify(scryptOfNode) as (
  password: string | Uint8Array,
  salt: Uint8Array,
  length: number,
  options: { N: number; r: number; p: number; maxmem: number },
) => Promise<Buffer>;

/** Bytes of memory that it takes: the table V of RFC 7914, 128·n·r, and p + 2 blocks of 128·r, with room for OpenSSL. */
export function scryptMemory({ n, r, p }: ScryptCost): number {
  return 128 * r * (n + p + 2) + SLACK;
}

/**
 * Derives bytes from a password (UTF-8), by RFC 7914; on the process's own thread pool, which files and name look-ups
 * share.
 * @param options.length - number of bytes
 * @throws RangeError on an invalid cost, such as n beyond 2^(16·r)
 */
export function scrypt(
  password: string | Uint8Array,
  salt: Uint8Array,
  { length, ...cost }: ScryptCost & { readonly length: number },
): Promise<Uint8Array> {
  const { n: N, r, p } = cost;
  return scryptAsync(password, salt, length, { N, r, p, maxmem: scryptMemory(cost) });
}
