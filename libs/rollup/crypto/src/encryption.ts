import {
  FIELD_MODULUS,
  WORD_BYTES,
  decodeWord,
  decodeWords,
  encodeWords,
  isFieldElement,
  modulo,
} from './field.js';
import type { FixedBaseTable } from './fixed-base-table.js';
import {
  POINT_BYTES,
  decodePoint,
  encodePoint,
  isOnCurve,
  isScalar,
  multiplyAll,
  multiplyGenerator,
  multiplyPoint,
  type Point,
} from './grumpkin.js';
import type { JointKey } from './joint-key.js';
import { hashWords } from './poseidon2.js';

/** Words encrypted to a joint key. */
export interface Ciphertext {
  /** C0 = ρ · G */
  readonly ephemeral: Point;
  readonly user: readonly bigint[];
  readonly operator: readonly bigint[];
  /** The fifteen words of a text that has not this form, which a contract and a circuit take nevertheless; nothing can be read in it. */
  readonly unreadable?: readonly bigint[] | undefined;
}

const COUNT_BYTES = 8;
/** The longest plaintext there is: a redemption's money order and its total index. */
const MAX_PLAINTEXT_WORDS = 6;
/** Words of a ciphertext that are hashed: count, C0, and both texts. */
export const CIPHERTEXT_WORDS = 3 + 2 * MAX_PLAINTEXT_WORDS;

/**
 * Encrypts field elements so that both holders of the joint key can read them: K = ρ · P for each half P, and
 * c_i = m_i + H(K.x, K.y, i).
 * @param randomizationFactor - ρ, 1 to n − 1, used for this message only
 * @param operatorTable - a table of the operator's half, which saves time
 * @throws RangeError for more than six words, words that are not field elements, a ρ out of range
 */
export function encrypt(
  words: readonly bigint[],
  key: JointKey,
  randomizationFactor: bigint,
  operatorTable?: FixedBaseTable,
): Ciphertext {
  if (words.length > MAX_PLAINTEXT_WORDS || !words.every(isFieldElement)) {
    throw new RangeError(`at most ${MAX_PLAINTEXT_WORDS} field elements are encrypted`);
  }
  const scalar = randomizationFactor;
  const [user, operator] = multiplyAll([
    { base: key.user, scalar },
    { base: operatorTable ?? key.operator, scalar },
  ]) as [Point, Point];
  return {
    ephemeral: multiplyGenerator(scalar),
    user: mask(words, user, 1n),
    operator: mask(words, operator, 1n),
  };
}

/**
 * @param half - which of the two keys
 * @param secretKey - that belongs to the half
 */
export function decrypt(ciphertext: Ciphertext, half: 'user' | 'operator', secretKey: bigint): bigint[] {
  return mask(ciphertext[half], multiplyPoint(ciphertext.ephemeral, secretKey), -1n);
}

/**
 * Decrypts with the randomization factor instead of a secret key.
 * @param half - which of the two keys
 * @param key - the public key of the half
 */
export function decryptWithFactor(
  ciphertext: Ciphertext,
  half: 'user' | 'operator',
  key: Point,
  randomizationFactor: bigint,
): bigint[] {
  return mask(ciphertext[half], multiplyPoint(key, randomizationFactor), -1n);
}

/** Words without the mask of the key that both sides share. */
export function unmask(words: readonly bigint[], key: Point): bigint[] {
  return mask(words, key, -1n);
}

function mask(words: readonly bigint[], { x, y }: Point, sign: 1n | -1n): bigint[] {
  return words.map((word, index) => modulo(word + sign * hashWords([x, y, BigInt(index)]), FIELD_MODULUS));
}

/** Whether the ciphertext is what encrypting the words with this randomization factor gives. */
export function isEncryptionOf(
  ciphertext: Ciphertext,
  words: readonly bigint[],
  key: JointKey,
  randomizationFactor: bigint,
  operatorTable?: FixedBaseTable,
): boolean {
  if (!isScalar(randomizationFactor) || ciphertext.user.length !== words.length) return false;
  const expected = ciphertextWords(encrypt(words, key, randomizationFactor, operatorTable));
  return ciphertextWords(ciphertext).every((word, index) => word === expected[index]);
}

/** `n(8) ‖ C0.x(32) ‖ C0.y(32) ‖ n words for the user(32·n) ‖ n words for the operator(32·n)`, big-endian. */
export function encodeCiphertext({ ephemeral, user, operator, unreadable }: Ciphertext): Uint8Array {
  if (unreadable !== undefined) return encodeWords(unreadable);
  const bytes = new Uint8Array(COUNT_BYTES + POINT_BYTES + WORD_BYTES * (user.length + operator.length));
  new DataView(bytes.buffer).setBigUint64(0, BigInt(user.length));
  bytes.set(encodePoint(ephemeral), COUNT_BYTES);
  bytes.set(encodeWords([...user, ...operator]), COUNT_BYTES + POINT_BYTES);
  return bytes;
}

/** @returns undefined unless the text has exactly this form, with a point of the curve and words below the modulus */
export function decodeCiphertext(bytes: Uint8Array): Ciphertext | undefined {
  if (bytes.length < COUNT_BYTES + POINT_BYTES) return undefined;
  const count = decodeWord(Uint8Array.from([...new Uint8Array(24), ...bytes.subarray(0, COUNT_BYTES)]));
  if (count < 1n || count > BigInt(MAX_PLAINTEXT_WORDS)) return undefined;
  const text = bytes.subarray(COUNT_BYTES + POINT_BYTES);
  if (text.length !== 2 * Number(count) * WORD_BYTES) return undefined;
  const ephemeral = decodePoint(bytes, COUNT_BYTES);
  const words = decodeWords(text);
  if (ephemeral === undefined || !words.every(isFieldElement)) return undefined;
  return { ephemeral, user: words.slice(0, Number(count)), operator: words.slice(Number(count)) };
}

/** `n, C0.x, C0.y, words for the user, words for the operator, zeros`: always 15 words. */
export function ciphertextWords({ ephemeral, user, operator, unreadable }: Ciphertext): bigint[] {
  if (unreadable !== undefined) return [...unreadable];
  const words = [BigInt(user.length), ephemeral.x, ephemeral.y, ...user, ...operator];
  return [...words, ...Array.from({ length: CIPHERTEXT_WORDS - words.length }, () => 0n)];
}

/** @returns undefined when the 15 words do not encode a ciphertext */
export function ciphertextFromWords(words: readonly bigint[]): Ciphertext | undefined {
  const count = Number(words[0] ?? 0n);
  if (words.length !== CIPHERTEXT_WORDS || count < 1 || count > MAX_PLAINTEXT_WORDS) return undefined;
  const ephemeral = { x: words[1] as bigint, y: words[2] as bigint };
  const end = 3 + 2 * count;
  if (!isOnCurve(ephemeral) || words.slice(end).some((word) => word !== 0n)) return undefined;
  return { ephemeral, user: words.slice(3, 3 + count), operator: words.slice(3 + count, end) };
}

/**
 * Any fifteen words as a text.
 *
 * @param words - field elements, as a contract has them
 * @returns the ciphertext that they encode, or one that holds them as they are
 */
export function textOfWords(words: readonly bigint[]): Ciphertext {
  const unreadable = { ephemeral: { x: 0n, y: 0n }, user: [], operator: [], unreadable: words };
  return ciphertextFromWords(words) ?? unreadable;
}

/**
 * Reads what `encodeCiphertext` wrote, also of a text that is not a ciphertext: those have another length.
 *
 * @param bytes - of a store, never of a caller
 * @returns undefined for other bytes
 */
export function decodeText(bytes: Uint8Array): Ciphertext | undefined {
  if (bytes.length !== CIPHERTEXT_WORDS * WORD_BYTES) return decodeCiphertext(bytes);
  const words = decodeWords(bytes);
  return words.every(isFieldElement) ? textOfWords(words) : undefined;
}

/** The hash of no ciphertext at all is that of fifteen zeros. */
export function ciphertextHash(ciphertext: Ciphertext | undefined): bigint {
  return ciphertext === undefined
    ? (hashOfNone ??= hashWords(noWords))
    : hashWords(ciphertextWords(ciphertext));
}

const noWords = Array.from({ length: CIPHERTEXT_WORDS }, () => 0n);
/** Needed for every outbound transfer, and always the same. */
let hashOfNone: bigint | undefined;
