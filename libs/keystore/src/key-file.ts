import { createCipheriv, createDecipheriv, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { addressFromPrivateKey, isPrivateKey, keccak256 } from '@tetrad/crypto';
import { withoutByteOrderMark, type Address } from '@tetrad/types';
import { z } from 'zod';
import { DERIVED_BYTES, deriveKey, type DeriveKey, type KeyDerivation } from './key-derivation.js';
import { KeystoreError, type KeystoreFault } from './keystore-error.js';

/** A decrypted key; keep it as short as possible and never print it. */
export interface PlainKey {
  readonly address: Address;
  readonly privateKey: Uint8Array;
}

const hex = (bytes?: number) =>
  z
    .string()
    .regex(/^(0x)?([0-9a-fA-F]{2})*$/, 'must be hex')
    .transform((text) => Buffer.from(text.replace(/^0x/, ''), 'hex'))
    .refine((value) => bytes === undefined || value.length === bytes, `must have ${bytes} bytes`);

/** A whole number, which web3j writes without quotes and reads with them too. */
const count = (min: number, max: number) =>
  z
    .union(
      [
        z.int(),
        z
          .string()
          .regex(/^\d{1,10}$/)
          .transform(Number),
      ],
      'must be a whole number',
    )
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`);
/** Bytes that are derived. Cipher and MAC use the first 32, which are the same however many follow. */
const derivedLength = count(DERIVED_BYTES, 1_024);

const scryptParams = z.object({
  n: count(2, 2 ** 22),
  r: count(1, 64),
  p: count(1, 64),
  dklen: derivedLength,
  salt: hex(),
});
const pbkdf2Params = z.object({
  c: count(1, 10_000_000),
  prf: z.literal('hmac-sha256'),
  dklen: derivedLength,
  salt: hex(),
});
const crypto = z.object({
  cipher: z.literal('aes-128-ctr'),
  cipherparams: z.object({ iv: hex(16) }),
  // Some writers drop the leading zeros of a key.
  ciphertext: hex().refine(({ length }) => length >= 1 && length <= 32, 'must have 1 to 32 bytes'),
  mac: hex(32),
  kdf: z.enum(['scrypt', 'pbkdf2']),
  kdfparams: z.looseObject({}),
});

/** Some writers keep the address out of the file, as null or an empty text. */
const statedAddress = z
  .union([z.literal('').transform(() => undefined), hex(20)])
  .nullish()
  .transform((value) => value ?? undefined);

/** Web3 Secret Storage, version 3, with names in lower case. */
const keyFile = z.object({
  version: z.union([z.literal(3), z.literal('3').transform(() => 3)]),
  address: statedAddress,
  crypto,
});

/** Objects within each other in a key file. */
const DEPTH = 3;

/**
 * A key file with its names in lower case: geth reads them in any letter case, and other clients write `Crypto`. Readers differ in
 * which they take of two names that are one but for case, so such a file is refused.
 */
function inLowerCase(value: unknown, file: string, depth = DEPTH): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth === 0) return value;
  const members: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const lower = name.toLowerCase();
    if (Object.hasOwn(members, lower))
      throw new KeystoreError(`${file}: ${lower}: is given twice, in two letter cases`, 'FORMAT');
    members[lower] = inLowerCase(member, file, depth - 1);
  }
  return members;
}

/** Memory limit of scrypt, in bytes: four times the need of geth's files, and not the host's whole memory. */
const SCRYPT_MAX_MEMORY = 2 ** 30;
/** Bytes of a private key. */
const KEY_BYTES = 32;

/** Cost of scrypt in new files: what geth writes; about a second. */
const SCRYPT_N = 262_144;
const SCRYPT_R = 8;
const SCRYPT_P = 1;

/**
 * Opens a V3 key file.
 * @param name - of the file, for errors
 * @param derive - derives the key of the cipher; by default on the thread pool of the process
 * @throws KeystoreError when a field is wrong, the password is, or the address is not the key's
 */
export async function decryptKeyFile(
  text: string,
  password: string,
  name: string,
  derive: DeriveKey = deriveKey,
): Promise<PlainKey> {
  const file = parseKeyFile(text, name);
  const { ciphertext, mac, cipherparams } = file.crypto;
  const derived = await derive(derivationOf(file.crypto, name), Buffer.from(password, 'utf8'));
  const expected = keccak256(Buffer.concat([derived.subarray(16, 32), ciphertext]));
  if (!timingSafeEqual(expected, mac)) throw new KeystoreError(`${name}: the password is wrong`, 'PASSWORD');
  const decipher = createDecipheriv('aes-128-ctr', derived.subarray(0, 16), cipherparams.iv);
  const privateKey = new Uint8Array(KEY_BYTES);
  privateKey.set(decipher.update(ciphertext), KEY_BYTES - ciphertext.length);
  if (!isPrivateKey(privateKey)) throw new KeystoreError(`${name}: the file holds no secp256k1 key`, 'KEY');
  const address = addressFromPrivateKey(privateKey);
  if (file.address !== undefined && address !== `0x${file.address.toString('hex')}`) {
    throw new KeystoreError(
      `${name}: the file says address 0x${file.address.toString('hex')}, its key is that of ${address}`,
      'KEY',
    );
  }
  return { address, privateKey };
}

/** Fields with an error code of their own. */
const FAULT_OF: Readonly<Record<string, KeystoreFault>> = {
  version: 'VERSION',
  'crypto.cipher': 'CIPHER',
  'crypto.kdf': 'KDF',
};

function parseKeyFile(text: string, name: string): z.output<typeof keyFile> {
  let json: unknown;
  try {
    json = JSON.parse(withoutByteOrderMark(text));
  } catch {
    throw new KeystoreError(`${name}: the file is not JSON`, 'FORMAT');
  }
  const parsed = keyFile.safeParse(inLowerCase(json, name));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join('.');
  throw new KeystoreError(
    `${name}: ${field ? `${field}: ` : ''}${issue?.message}`,
    FAULT_OF[field ?? ''] ?? 'FORMAT',
  );
}

/**
 * The derivation that the file states.
 * @throws KeystoreError naming the parameter
 */
function derivationOf({ kdf, kdfparams }: z.output<typeof crypto>, name: string): KeyDerivation {
  if (kdf === 'pbkdf2') {
    const { c, salt } = parseParams(pbkdf2Params, kdfparams, name);
    return { kdf, c, salt };
  }
  const { n, r, p, salt } = parseParams(scryptParams, kdfparams, name);
  if ((n & (n - 1)) !== 0) {
    throw new KeystoreError(`${name}: crypto.kdfparams.n: must be a power of two`, 'FORMAT');
  }
  if (128 * n * r > SCRYPT_MAX_MEMORY) {
    throw new KeystoreError(`${name}: crypto.kdfparams: n ${n} and r ${r} need too much memory`, 'FORMAT');
  }
  return { kdf, n, r, p, salt };
}

function parseParams<Schema extends z.ZodType>(
  schema: Schema,
  params: unknown,
  name: string,
): z.output<Schema> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join('.');
  throw new KeystoreError(
    `${name}: crypto.kdfparams.${field}: ${issue?.message}`,
    field === 'prf' ? 'PRF' : 'FORMAT',
  );
}

/**
 * Writes a key as a V3 file with scrypt.
 * @param options.scryptN - cost, a power of two; the default is that of other clients, tests take less
 */
export async function encryptKeyFile(
  privateKey: Uint8Array,
  password: string,
  { scryptN = SCRYPT_N }: { readonly scryptN?: number } = {},
): Promise<string> {
  const salt = randomBytes(32);
  const iv = randomBytes(16);
  const derived = await deriveKey(
    { kdf: 'scrypt', n: scryptN, r: SCRYPT_R, p: SCRYPT_P, salt },
    Buffer.from(password, 'utf8'),
  );
  const cipher = createCipheriv('aes-128-ctr', derived.subarray(0, 16), iv);
  const ciphertext = Buffer.concat([cipher.update(privateKey), cipher.final()]);
  const mac = keccak256(Buffer.concat([derived.subarray(16, 32), ciphertext]));
  const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  return JSON.stringify({
    version: 3,
    id: randomUUID(),
    address: addressFromPrivateKey(privateKey).slice(2),
    crypto: {
      cipher: 'aes-128-ctr',
      cipherparams: { iv: hexOf(iv) },
      ciphertext: hexOf(ciphertext),
      kdf: 'scrypt',
      kdfparams: { dklen: 32, n: scryptN, r: SCRYPT_R, p: SCRYPT_P, salt: hexOf(salt) },
      mac: hexOf(mac),
    },
  });
}
