import { createHash } from 'node:crypto';

/** What the bytes are for: RFC 7292, appendix B.3. */
export type Pkcs12Purpose = 'key' | 'iv' | 'mac';

const IDS: Readonly<Record<Pkcs12Purpose, number>> = { key: 1, iv: 2, mac: 3 };
/** Bytes of a block of SHA-1 and SHA-256, and of SHA-384 and SHA-512. */
const BLOCK_BYTES: Readonly<Record<string, number>> = { sha1: 64, sha256: 64, sha384: 128, sha512: 128 };

export interface Pkcs12Derivation {
  readonly hash: string;
  readonly salt: Buffer;
  readonly iterations: number;
  readonly purpose: Pkcs12Purpose;
  /** Bytes to derive. */
  readonly length: number;
}

/**
 * Bytes from a password as PKCS#12 makes them (RFC 7292, appendix B.2).
 *
 * Hashed: D (one block of the purpose's id) ‖ salt, repeated to whole blocks ‖ password (UTF-16BE, closed by 0000),
 * repeated likewise; each iteration adds its hash + 1 to every block after D.
 */
export function derivePkcs12(password: string, derivation: Pkcs12Derivation): Buffer {
  const { hash, salt, iterations, purpose, length } = derivation;
  const block = BLOCK_BYTES[hash] as number;
  const diversifier = Buffer.alloc(block, IDS[purpose]);
  const secret = Buffer.from(`${password}\0`, 'utf16le').swap16();
  const mixed = Buffer.concat([repeated(salt, block), repeated(secret, block)]);
  const output: Buffer[] = [];
  for (let bytes = 0; bytes < length;) {
    let digest = createHash(hash).update(diversifier).update(mixed).digest();
    for (let iteration = 1; iteration < iterations; iteration++)
      digest = createHash(hash).update(digest).digest();
    output.push(digest);
    bytes += digest.length;
    addToBlocks(mixed, repeated(digest, block).subarray(0, block));
  }
  return Buffer.concat(output).subarray(0, length);
}

/** The bytes again and again, up to whole blocks. */
function repeated(bytes: Buffer, block: number): Buffer {
  return Buffer.alloc(Math.ceil(bytes.length / block) * block, bytes);
}

/** Adds the addend and 1 to each block, modulo 2^(8·block). */
function addToBlocks(mixed: Buffer, addend: Buffer): void {
  for (let start = 0; start < mixed.length; start += addend.length) {
    let carry = 1;
    for (let index = addend.length - 1; index >= 0; index--) {
      carry += (mixed[start + index] as number) + (addend[index] as number);
      mixed[start + index] = carry & 0xff;
      carry >>= 8;
    }
  }
}
