import { randomBytes, randomInt } from 'node:crypto';
import type { Word } from './word.js';

/** An entry of a table: its key, and the hash that the table stores with it. */
export interface TableEntry {
  readonly key: Word;
  hash: number;
}

/*
 * Contracts choose the keys. A `Map` of BigInts hashes their low 64 bits and nothing secret, so chosen keys make it
 * quadratic; here every process has a hash function of its own. A wide word is first taken modulo a secret prime:
 * a 256-bit difference of two keys has few divisors of that size, and an attacker does not know which one to aim at.
 */
const seeds = new Uint32Array(Uint8Array.from(randomBytes(24)).buffer);
const [S0, S1, M0, M1] = [seeds[0], seeds[1], seeds[2], seeds[3]].map((seed) => (seed as number) | 1) as [
  number,
  number,
  number,
  number,
];
const PRIME = secretPrime();
const TWO_32 = 2 ** 32;

/** Hash of a word by the secret function of the process; a signed 32-bit integer. */
export function hashOfWord(word: Word): number {
  const small = typeof word === 'number' ? word : Number(word % PRIME);
  let hash = Math.imul((small | 0) ^ S0, M0);
  hash ^= hash >>> 15;
  hash = Math.imul(hash ^ ((small / TWO_32) | 0) ^ S1, M1);
  hash ^= hash >>> 16;
  return Math.imul(hash, 0x2c1b3c6d) ^ (hash >>> 13);
}

/** A hash table of entries by word, with open addressing. Entries are added and never removed. */
export class WordTable<Entry extends TableEntry> {
  private cells: (Entry | undefined)[] = new Array<Entry | undefined>(8).fill(undefined);
  private mask = 7;
  size = 0;

  get(key: Word): Entry | undefined {
    return this.find(key, hashOfWord(key));
  }

  /** Puts an entry whose key is not in the table. */
  add(entry: Entry): void {
    if (this.size * 2 > this.mask) this.grow();
    entry.hash = hashOfWord(entry.key);
    this.place(entry);
    this.size++;
  }

  *[Symbol.iterator](): IterableIterator<Entry> {
    for (const entry of this.cells) if (entry !== undefined) yield entry;
  }

  private find(key: Word, hash: number): Entry | undefined {
    const { cells, mask } = this;
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const entry = cells[at];
      if (entry === undefined || (entry.hash === hash && entry.key === key)) return entry;
    }
  }

  private place(entry: Entry): void {
    let at = entry.hash & this.mask;
    while (this.cells[at] !== undefined) at = (at + 1) & this.mask;
    this.cells[at] = entry;
  }

  private grow(): void {
    const entries = this.cells;
    this.mask = this.mask * 2 + 1;
    this.cells = new Array<Entry | undefined>(this.mask + 1).fill(undefined);
    for (const entry of entries) if (entry !== undefined) this.place(entry);
  }
}

/** A prime of 45 to 46 bits, so that the remainder is a number. */
function secretPrime(): bigint {
  for (let candidate = 2 ** 45 + randomInt(2 ** 45); ; candidate++) {
    if (candidate % 2 === 1 && isPrime(BigInt(candidate))) return BigInt(candidate);
  }
}

/** Miller-Rabin with the bases that decide every number below 3.3 * 10^24. Source: Sorenson and Webster, 2015. */
function isPrime(n: bigint): boolean {
  let odd = n - 1n;
  let twos = 0;
  for (; odd % 2n === 0n; odd /= 2n) twos++;
  return [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n, 41n].every((base) =>
    passes(base, { n, odd, twos }),
  );
}

function passes(base: bigint, { n, odd, twos }: { n: bigint; odd: bigint; twos: number }): boolean {
  let power = powerModulo(base, odd, n);
  if (power === 1n || power === n - 1n) return true;
  for (let round = 1; round < twos; round++) {
    power = (power * power) % n;
    if (power === n - 1n) return true;
  }
  return false;
}

function powerModulo(base: bigint, exponent: bigint, n: bigint): bigint {
  let result = 1n;
  for (let [square, rest] = [base % n, exponent]; rest > 0n; rest >>= 1n, square = (square * square) % n) {
    if (rest % 2n === 1n) result = (result * square) % n;
  }
  return result;
}
