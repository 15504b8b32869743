import { keccak256 } from '@tetrad/crypto';
import { hexFromBytes, type Hash } from '@tetrad/types';

/**
 * Code of a contract of a release, but for what each deployment puts into it: immutables, and addresses of libraries and of the
 * contract itself.
 */
export interface MaskedCode {
  readonly bytes: number;
  /** keccak-256 of the code with zeros at all places. */
  readonly hash: Hash;
  /** Immutable → where it is, 32 bytes each time. */
  readonly words: Places;
  /** Library, or `this` → where its address is, 20 bytes each time. */
  readonly addresses: Places;
}

export type Places = Readonly<Record<string, readonly number[]>>;

/** One name has two values in the same code. */
export class ContradictionError extends Error {
  override readonly name = 'ContradictionError';

  constructor(readonly place: string) {
    super(`${place} differs from place to place`);
  }
}

const WORD_BYTES = 32;
const ADDRESS_BYTES = 20;

/**
 * Hash of code without what is at the places.
 *
 * @param code - as the chain has it; stays as it is
 * @param places - within the code
 * @returns keccak-256 with zeros at the places
 */
export function maskedHash(
  code: Uint8Array,
  { words, addresses }: Pick<MaskedCode, 'words' | 'addresses'>,
): Hash {
  const masked = Uint8Array.from(code);
  for (const [places, length] of [
    [words, WORD_BYTES],
    [addresses, ADDRESS_BYTES],
  ] as const)
    for (const start of Object.values(places).flat()) masked.fill(0, start, start + length);
  return hexFromBytes(keccak256(masked)) as Hash;
}

/** Whether code is that of a release, whatever is at the places. */
export function isMaskedCode(code: Uint8Array, known: MaskedCode): boolean {
  return code.length === known.bytes && maskedHash(code, known) === known.hash;
}

/** What a deployment put into code. */
export interface MaskedValues {
  readonly words: ReadonlyMap<string, bigint>;
  readonly addresses: ReadonlyMap<string, string>;
}

/**
 * Reads what is at the places of code that is known.
 *
 * @param code - as the chain has it
 * @param known - which it is, by `isMaskedCode`
 * @returns immutables as numbers, and addresses
 * @throws ContradictionError when a value is not the same at all its places: the compiler writes it so, another hand may not
 */
export function maskedValues(code: Uint8Array, known: MaskedCode): MaskedValues {
  const words = Object.entries(known.words).map(
    ([name, places]) => [name, BigInt(oneValue(code, name, places, WORD_BYTES))] as const,
  );
  const addresses = Object.entries(known.addresses).map(
    ([name, places]) => [name, oneValue(code, name, places, ADDRESS_BYTES)] as const,
  );
  return { words: new Map(words), addresses: new Map(addresses) };
}

function oneValue(code: Uint8Array, name: string, places: readonly number[], length: number): string {
  const values = new Set(places.map((start) => hexFromBytes(code.subarray(start, start + length))));
  const [value, other] = values;
  if (value === undefined || other !== undefined) throw new ContradictionError(name);
  return value;
}
