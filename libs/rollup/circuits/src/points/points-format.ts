import { bn254 } from '@noble/curves/bn254.js';
import { decodeWord, encodeWord } from '@tetrad/rollup-crypto';
import { POINT_BYTES } from './points-file.js';

/** How a file writes points, one after the other. */
export interface PointsFormat {
  /** Where the second point of the ceremony is: files of some programs leave out the first, which is the generator. */
  readonly offset: number;
  /** Bytes of a point. */
  readonly stride: number;
  /**
   * Reads a point, whatever is there: it is checked later.
   *
   * @param record - as many bytes as a point has
   * @returns x (32) ‖ y (32), big-endian; undefined for an x of no point
   */
  read(record: Uint8Array): Buffer | undefined;
}

/** The beginning of a file in which points are looked for, and how many of them are compared. */
export const HEAD_BYTES = 65_536;
export const COMPARED = 64;
/** With fewer a file is no file of points. */
const FEWEST_COMPARED = 4;
const WORD = 32;
const LIMB = 8;

/** From the bytes of a file to big-endian and back: each is its own inverse. */
type WordOrder = (word: Uint8Array) => Buffer;

const ORDERS: readonly WordOrder[] = [
  // `bb` and gnark.
  (word) => Buffer.from(word),
  // arkworks, and programs that write their memory.
  (word) => Buffer.from(word).reverse(),
  // Transcripts of the ceremony: limbs of 64 bits, the lowest first, each big-endian.
  (word) => Buffer.concat([3, 2, 1, 0].map((limb) => word.subarray(LIMB * limb, LIMB * (limb + 1)))),
];

const { Fp } = bn254.fields;
/** What programs that write their memory multiply numbers by. */
const MONTGOMERY = Fp.create(2n ** 256n);
/** The modulus has 254 bits, so that two of a word are free for the sign of y. */
const X_BITS = 0x3f;
const SIGN_BITS = [0x80, 0x40] as const;

/**
 * Finds in which form a file has the points of the ceremony, by those that are known: it needs no name of a format.
 *
 * @param head - the beginning of the file
 * @param known - the first points of the ceremony, x (32) ‖ y (32) each
 * @returns undefined when it has them in no form
 */
export function findFormat(head: Buffer, known: Buffer): PointsFormat | undefined {
  for (const order of ORDERS)
    for (const factor of [1n, MONTGOMERY]) {
      const format = findWhole(head, known, { order, factor });
      if (format !== undefined) return format;
    }
  return ORDERS.map((order) => findShort(head, known, order)).find((format) => format !== undefined);
}

const wordAt = (known: Buffer, index: number, offset: number) =>
  known.subarray(POINT_BYTES * index + offset, POINT_BYTES * index + offset + WORD);

/** Both coordinates of each. */
function findWhole(
  head: Buffer,
  known: Buffer,
  { order, factor }: { readonly order: WordOrder; readonly factor: bigint },
): PointsFormat | undefined {
  const written = (word: Uint8Array) =>
    factor === 1n ? order(word) : order(encodeWord(Fp.mul(decodeWord(word, 0), factor)));
  const expected = recordsOf((index) =>
    Buffer.concat([written(wordAt(known, index, 0)), written(wordAt(known, index, WORD))]),
  );
  const offset = placeOf(head, expected);
  if (offset === undefined) return undefined;
  const inverse = Fp.inv(factor);
  const plain = (word: Uint8Array) =>
    factor === 1n ? order(word) : Buffer.from(encodeWord(Fp.mul(decodeWord(order(word), 0), inverse)));
  const read = (record: Uint8Array) =>
    Buffer.concat([plain(record.subarray(0, WORD)), plain(record.subarray(WORD))]);
  return { offset, stride: POINT_BYTES, read };
}

const recordsOf = (record: (index: number) => Buffer) =>
  Array.from({ length: COMPARED }, (_, index) => record(index + 1));

/** Where records are, one after the other, as far as the head has them. */
function placeOf(head: Buffer, records: readonly Buffer[]): number | undefined {
  const [first] = records as [Buffer];
  for (let at = head.indexOf(first); at !== -1; at = head.indexOf(first, at + 1)) {
    const there = Math.min(records.length, Math.floor((head.length - at) / first.length));
    const all = Buffer.concat(records.slice(0, there));
    if (there >= FEWEST_COMPARED && head.subarray(at, at + all.length).equals(all)) return at;
  }
  return undefined;
}

/** x of each, and in a bit above it which of the two y there are. */
function findShort(head: Buffer, known: Buffer, order: WordOrder): PointsFormat | undefined {
  const expected = recordsOf((index) => order(wordAt(known, index, 0)));
  const flags = order(Uint8Array.of(X_BITS, ...Array.from({ length: WORD - 1 }, () => 0xff))).indexOf(X_BITS);
  const offset = placeOfMasked(head, expected, flags);
  if (offset === undefined) return undefined;
  const there = Math.min(COMPARED, Math.floor((head.length - offset) / WORD));
  const seen = Array.from({ length: there }, (_, place) => ({
    flags: head[offset + WORD * place + flags] ?? 0,
    y: decodeWord(wordAt(known, place + 1, WORD), 0),
  }));
  const signs = SIGN_RULES.filter((isSet) => seen.every((one) => isSet(one.y, one.flags)));
  const [isOf] = signs;
  if (isOf === undefined) return undefined;
  return { offset, stride: WORD, read: (record) => readShort(order(record), isOf) };
}

function placeOfMasked(head: Buffer, records: readonly Buffer[], flags: number): number | undefined {
  const masked = (bytes: Buffer) => {
    const copy = Buffer.from(bytes);
    for (let at = flags; at < copy.length; at += WORD) copy[at] = (copy[at] ?? 0) & X_BITS;
    return copy;
  };
  // What is searched for is the longer part of the word beside its flags.
  const [first] = records as [Buffer];
  const [from, to] = flags < WORD / 2 ? [flags + 1, WORD] : [0, flags];
  const part = first.subarray(from, to);
  for (let found = head.indexOf(part); found !== -1; found = head.indexOf(part, found + 1)) {
    const at = found - from;
    if (at < 0) continue;
    const there = Math.min(records.length, Math.floor((head.length - at) / WORD));
    const all = Buffer.concat(records.slice(0, there));
    if (there >= FEWEST_COMPARED && masked(head.subarray(at, at + all.length)).equals(all)) return at;
  }
  return undefined;
}

/** Whether y is the one that the flags mean. */
type SignRule = (y: bigint, flags: number) => boolean;

const isOdd = (y: bigint) => (y & 1n) === 1n;
const isLarger = (y: bigint) => y > Fp.neg(y);

/** `bb` writes whether y is odd, gnark and arkworks whether it is the larger one; in one bit or the other. */
const SIGN_RULES: readonly SignRule[] = [isOdd, isLarger].flatMap((property) =>
  SIGN_BITS.flatMap((bit) =>
    [true, false].map(
      (isSet): SignRule =>
        (y, flags) =>
          ((flags & bit) !== 0) === (property(y) === isSet),
    ),
  ),
);

function readShort(word: Buffer, isOf: SignRule): Buffer | undefined {
  const flags = word[0] ?? 0;
  word[0] = flags & X_BITS;
  const x = decodeWord(word, 0);
  const y = rootOf(Fp.add(Fp.mul(Fp.sqr(Fp.create(x)), Fp.create(x)), 3n));
  if (y === undefined) return undefined;
  return Buffer.concat([word, encodeWord(isOf(y, flags) ? y : Fp.neg(y))]);
}

function rootOf(square: bigint): bigint | undefined {
  try {
    return Fp.sqrt(square);
  } catch {
    return undefined;
  }
}
