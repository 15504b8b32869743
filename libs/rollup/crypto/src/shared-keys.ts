import { keccak256 } from '@tetrad/crypto';
import { unmask, type Ciphertext } from './encryption.js';
import { GROUP_ORDER, decodeWord, encodeWord, modulo } from './field.js';
import {
  GENERATOR,
  encodePoint,
  isScalar,
  multiplyGenerator,
  multiplyPoint,
  sumOfProducts,
  type Point,
} from './grumpkin.js';
import { randomScalar } from './random.js';

/** That every shared key is `encryption key · C0`, for one encryption key and all texts: challenge and response. */
export interface SharedKeyProof {
  readonly e: bigint;
  readonly s: bigint;
}

/** Which rollup the texts are of, whose key opens them, and their ephemeral points in order. */
interface Texts {
  readonly domain: bigint;
  readonly user: Point;
  readonly ephemerals: readonly Point[];
}

/** Of the weights: what a wrong key has as its chance not to be noticed is 2^-128. */
const WEIGHT_BITS = 128n;
const LABEL = new TextEncoder().encode('tetrad rollup shared keys');

/**
 * The keys that open the user's halves of texts, and a proof that they do: each key opens one text and says nothing of the
 * encryption key. A text that is not to this user opens to noise.
 *
 * Who chose an ephemeral point without knowing its logarithm learns of the key what it did not know; show keys of texts alone
 * whose makers had to know their randomization factors.
 *
 * @param encryptionKey - the secret of the user's half of the joint key
 * @param texts - one or more ephemeral points, and the rollup
 * @returns a key for each, in order, and the proof
 */
export function proveSharedKeys(
  encryptionKey: bigint,
  { domain, ephemerals }: Omit<Texts, 'user'>,
): { readonly keys: Point[]; readonly proof: SharedKeyProof } {
  const user = multiplyGenerator(encryptionKey);
  const keys = ephemerals.map((ephemeral) => multiplyPoint(ephemeral, encryptionKey));
  const { seed, base, total } = combine({ domain, user, ephemerals }, keys);
  const k = randomScalar();
  const e = challengeOf(seed, [base, total, multiplyGenerator(k), multiplyPoint(base, k)]);
  return { keys, proof: { e, s: modulo(k + e * encryptionKey, GROUP_ORDER) } };
}

/**
 * Whether each key is the one that opens the text with the user's key.
 *
 * @param texts - ephemeral points, the user's half of the joint key, and the rollup; all on the curve
 * @param keys - one for each text, on the curve
 * @param proof - of `proveSharedKeys`
 * @returns false for any other key
 */
export function verifySharedKeys(texts: Texts, keys: readonly Point[], { e, s }: SharedKeyProof): boolean {
  if (keys.length !== texts.ephemerals.length || keys.length === 0) return false;
  if (!isScalar(e) || !isScalar(s)) return false;
  const { seed, base, total } = combine(texts, keys);
  const minusE = GROUP_ORDER - e;
  const difference = (from: Point, of: Point) =>
    sumOfProducts([
      { point: from, scalar: s },
      { point: of, scalar: minusE },
    ]);
  const commitments = [difference(GENERATOR, texts.user), difference(base, total)];
  return challengeOf(seed, [base, total, ...commitments]) === e;
}

/**
 * Opens a text with its shared key.
 *
 * @param ciphertext - whose user half is opened
 * @param key - that `proveSharedKeys` gave
 * @returns the words
 */
export function openWithSharedKey(ciphertext: Ciphertext, key: Point): bigint[] {
  return unmask(ciphertext.user, key);
}

/** Points and keys under weights that follow from all of them: one equation for all. */
function combine({ domain, user, ephemerals }: Texts, keys: readonly Point[]) {
  const points = [user, ...ephemerals, ...keys];
  const seed = keccak256(joined([LABEL, encodeWord(domain), ...points.map(encodePoint)]));
  const weights = keys.map((_, index) => weightOf(seed, index));
  const weighted = (list: readonly Point[]) =>
    sumOfProducts(list.map((point, index) => ({ point, scalar: weights[index] as bigint })));
  return { seed, base: weighted(ephemerals), total: weighted(keys) };
}

function weightOf(seed: Uint8Array, index: number): bigint {
  const digest = keccak256(joined([seed, encodeWord(BigInt(index))]));
  return (decodeWord(digest) >> (256n - WEIGHT_BITS)) + 1n;
}

function challengeOf(seed: Uint8Array, points: readonly Point[]): bigint {
  const digest = keccak256(joined([seed, ...points.map(encodePoint)]));
  return modulo(decodeWord(digest), GROUP_ORDER);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
