import { addressCodec, hashCodec } from '@tetrad/rpc';
import { bytesFromHex, hexFromBytes, parseHash, type Hash } from '@tetrad/types';
import { z } from 'zod';

/** Wire forms of the rollup: JSON integers for ids and amounts, hex for keys, proofs and signatures. */

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array;

function bytesFromLooseHex(text: string): Uint8Array {
  return bytesFromHex(text.startsWith('0x') ? text : `0x${text}`);
}

/** Exactly so many bytes as hex; `0x` may be left out. */
export function bytesOf(length: number) {
  return z.codec(
    z.string().regex(new RegExp(`^(?:0x)?[0-9a-fA-F]{${2 * length}}$`), `must be ${length} bytes of hex`),
    z.custom<Uint8Array>((value) => isBytes(value) && value.length === length),
    { decode: bytesFromLooseHex, encode: (bytes) => hexFromBytes(bytes) },
  );
}

/** x‖y of a Grumpkin point, 32 bytes each, big-endian. */
export const publicKeyCodec = bytesOf(64);
/** User's encryption point ‖ operator's encryption point. */
export const jointEncryptionKeyCodec = bytesOf(128);
/** R (x‖y) ‖ s. */
export const signatureCodec = bytesOf(96);
/** A scalar, big-endian; of which field it must be depends on what it is. */
export const scalarCodec = bytesOf(32);

/** Order of the scalar field of BN254 (EIP-196), in which commitments are computed. */
const FIELD_ORDER = 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001n;

/** An element of that field, big-endian. */
export const fieldElementCodec = z.codec(scalarCodec, z.custom<Uint8Array>(isBytes), {
  decode: (bytes, context) => {
    if (BigInt(hexFromBytes(bytes)) >= FIELD_ORDER) {
      const message = 'must be below the order of the scalar field of BN254';
      context.issues.push({ code: 'custom', message, input: bytes });
    }
    return bytes;
  },
  encode: (bytes) => bytes,
});

/** Text for the user and the operator; its length depends on what is encrypted, at most 8 KiB. */
export const ciphertextCodec = z.codec(
  z
    .string()
    .max(16_386)
    .regex(/^(?:0x)?(?:[0-9a-fA-F]{2})*$/, 'must be hex'),
  z.custom<Uint8Array>(isBytes),
  { decode: bytesFromLooseHex, encode: (bytes) => hexFromBytes(bytes) },
);

/** 32 bits. */
export const accountIdSchema = z.int().min(0).max(0xffff_ffff);
/** Index of a token in the rollup contract. */
export const tokenIdSchema = z.int().min(0).max(0xffff_ffff);
export const nonceSchema = z.int().nonnegative();
/** Batch id · 2^16 + index in the batch: 6 bytes. */
export const totalIndexSchema = z
  .int()
  .min(0)
  .max(2 ** 48 - 1);
export const softLimitSchema = z.int().min(1).max(1000);

const UINT64 = 2n ** 64n;

const wireAmount = z
  .custom<number | bigint>(
    (value) =>
      (typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value))) && value >= 0,
    'must be a whole number',
  )
  .meta({ type: 'integer', minimum: 0 });

/** Token base units below 2^64: a JSON integer that is read and written without loss, or decimal or hex text. */
export const amountCodec = z.codec(
  z.union([wireAmount, z.string().regex(/^(?:0x[0-9a-fA-F]{1,16}|[0-9]{1,20})$/)], {
    error:
      'must be an amount: a whole number below 2^64; as a JSON number without fraction or exponent, or as decimal or hex text',
  }),
  z.bigint().refine((amount) => amount >= 0n && amount < UINT64, 'must be below 2^64'),
  {
    decode: (wire) => BigInt(wire),
    encode: (amount): number | bigint =>
      amount <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(amount) : amount,
  },
);

/** What an operation moves: an operation of nothing costs its operator a proof all the same. */
export const movedAmountCodec = z.codec(
  amountCodec,
  z.bigint().refine((amount) => amount > 0n, 'must be above 0'),
  { decode: (amount) => amount, encode: (amount) => amount },
);

/** Hash that is signed, and under which an operation is found. */
export const operationHashCodec = hashCodec;

const siblings = z.array(hashCodec);

/** Sibling hashes, leaf level first: a list, or one text of 32 bytes each. */
export const merkleProofParamCodec = z.codec(
  z.union([z.string().regex(/^0x(?:[0-9a-fA-F]{64})*$/), siblings], {
    error: 'must be a Merkle proof: hex of 32-byte hashes',
  }),
  z.custom<readonly Hash[]>((value) => Array.isArray(value)),
  {
    decode: (wire) => (typeof wire === 'string' ? splitHashes(wire) : wire),
    encode: (proof): string => joinHashes(proof),
  },
);

function splitHashes(text: string): Hash[] {
  return (text.slice(2).match(/.{64}/g) ?? []).map((digits) => parseHash(`0x${digits}`));
}

function joinHashes(proof: readonly Hash[]): string {
  return `0x${proof.map((hash) => hash.slice(2)).join('')}`;
}

/** Sibling hashes in an answer. */
export const merkleProofCodec = siblings;

export const ethereumAddressCodec = addressCodec;
