import { createDecipheriv, createHmac, pbkdf2Sync, timingSafeEqual } from 'node:crypto';
import { KeyLoadError } from '../key-load-error.js';
import {
  DER_CONTEXT_0,
  DER_IMPLICIT_0,
  DER_OCTETS,
  DER_SEQUENCE,
  contentOf,
  inside,
  integerOf,
  oidOf,
  readDer,
  type DerElement,
} from './der.js';
import { derivePkcs12 } from './pkcs12-derivation.js';

/** Object identifiers in hex of their DER content (RFC 7292, RFC 8018, RFC 5652). */
const OID_DATA = '2a864886f70d010701';
const OID_ENCRYPTED_DATA = '2a864886f70d010706';
const OID_CERTIFICATE_BAG = '2a864886f70d010c0a0103';
const OID_PBES2 = '2a864886f70d01050d';
const OID_PBE_SHA1_3DES = '2a864886f70d010c0103';
const HASHES: Readonly<Record<string, string>> = {
  '2b0e03021a': 'sha1',
  '608648016503040201': 'sha256',
  '608648016503040202': 'sha384',
  '608648016503040203': 'sha512',
};
/** Pseudo-random functions of PBKDF2. */
const PRFS: Readonly<Record<string, string>> = {
  '2a864886f70d0207': 'sha1',
  '2a864886f70d0209': 'sha256',
  '2a864886f70d020a': 'sha384',
  '2a864886f70d020b': 'sha512',
};
const CIPHERS: Readonly<Record<string, { readonly name: string; readonly keyBytes: number }>> = {
  '60864801650304012a': { name: 'aes-256-cbc', keyBytes: 32 },
  '608648016503040116': { name: 'aes-192-cbc', keyBytes: 24 },
  '608648016503040102': { name: 'aes-128-cbc', keyBytes: 16 },
};
/** More rounds than any writer asks for; a file must not hold the process up for minutes. */
const MAX_ITERATIONS = 1_000_000;

/**
 * The certificates (DER) of a PKCS#12 file: what keytool and openssl write. `node:tls` reads such a file only when it
 * has a private key, which a store of trust has not; the libraries that were looked at take a file without a MAC, and
 * as many iterations as it asks for.
 *
 * Fails: KeyLoadError
 */
export function certificatesOfPkcs12(content: Buffer, password: string, file: string): readonly Uint8Array[] {
  try {
    const pfx = inside(readDer(content), 0, DER_SEQUENCE);
    const safe = dataOf(inside(pfx, 1, DER_SEQUENCE));
    assertMac(pfx, safe, password);
    return inside(readDer(safe), 0, DER_SEQUENCE).flatMap((element) => {
      const bags = safeContents(readDer(element.content), password);
      return inside(readDer(bags), 0, DER_SEQUENCE).flatMap(certificateOf);
    });
  } catch (error) {
    const reason = error instanceof Pkcs12Error ? error.message : 'is no PKCS#12 file, or is damaged';
    throw new KeyLoadError(`${file}: ${reason}`);
  }
}

/** What is wrong, in words of ours. */
class Pkcs12Error extends Error {}

/** ContentInfo of plain data: identifier ‖ [0] octets. */
function dataOf(info: readonly DerElement[]): Buffer {
  if (oidOf(info, 0) !== OID_DATA) throw new Pkcs12Error('is signed by a key, not by its password');
  return contentOf(inside(info, 1, DER_CONTEXT_0), 0, DER_OCTETS);
}

/** HMAC of the safe: SEQUENCE { SEQUENCE { hash, digest }, salt, iterations }. */
function assertMac(pfx: readonly DerElement[], safe: Buffer, password: string): void {
  if (pfx.length < 3) throw new Pkcs12Error('has no MAC');
  const mac = inside(pfx, 2, DER_SEQUENCE);
  const digest = inside(mac, 0, DER_SEQUENCE);
  const hash = HASHES[oidOf(inside(digest, 0, DER_SEQUENCE), 0)];
  if (hash === undefined) throw new Pkcs12Error('has a MAC of an unknown kind');
  const expected = contentOf(digest, 1, DER_OCTETS);
  const iterations = mac.length > 2 ? boundedIterations(integerOf(mac, 2)) : 1;
  const salt = contentOf(mac, 1, DER_OCTETS);
  const length = expected.length;
  const key = derivePkcs12(password, { hash, salt, iterations, purpose: 'mac', length });
  const actual = createHmac(hash, key).update(safe).digest();
  if (actual.length !== length || !timingSafeEqual(actual, expected)) {
    throw new Pkcs12Error('the password is wrong');
  }
}

function boundedIterations(iterations: number): number {
  if (iterations < 1 || iterations > MAX_ITERATIONS) throw new Pkcs12Error('asks for too many iterations');
  return iterations;
}

function safeContents(info: readonly DerElement[], password: string): Buffer {
  if (oidOf(info, 0) !== OID_ENCRYPTED_DATA) return dataOf(info);
  const encrypted = inside(inside(info, 1, DER_CONTEXT_0), 0, DER_SEQUENCE);
  const content = inside(encrypted, 1, DER_SEQUENCE);
  return decrypt(inside(content, 1, DER_SEQUENCE), contentOf(content, 2, DER_IMPLICIT_0), password);
}

function decrypt(algorithm: readonly DerElement[], encrypted: Buffer, password: string): Buffer {
  const params = inside(algorithm, 1, DER_SEQUENCE);
  const { name, key, iv } = cipherOf(oidOf(algorithm, 0), params, password);
  const decipher = createDecipheriv(name, key, iv);
  return Buffer.concat([decipher.update(encrypted), decipher.final()]);
}

function cipherOf(scheme: string, params: readonly DerElement[], password: string) {
  if (scheme === OID_PBES2) return pbes2Cipher(params, password);
  if (scheme !== OID_PBE_SHA1_3DES) {
    throw new Pkcs12Error('is encrypted in an old way that is not supported: write it again with AES');
  }
  const shared = {
    hash: 'sha1',
    salt: contentOf(params, 0, DER_OCTETS),
    iterations: boundedIterations(integerOf(params, 1)),
  };
  return {
    name: 'des-ede3-cbc',
    key: derivePkcs12(password, { ...shared, purpose: 'key', length: 24 }),
    iv: derivePkcs12(password, { ...shared, purpose: 'iv', length: 8 }),
  };
}

/** SEQUENCE { PBKDF2 { salt, iterations, key length?, prf? }, cipher { iv } }. */
function pbes2Cipher(params: readonly DerElement[], password: string) {
  const derivation = inside(inside(params, 0, DER_SEQUENCE), 1, DER_SEQUENCE);
  const encryption = inside(params, 1, DER_SEQUENCE);
  const cipher = CIPHERS[oidOf(encryption, 0)];
  const last = derivation.at(-1);
  const prf = last?.tag === DER_SEQUENCE ? PRFS[oidOf(readDer(last.content), 0)] : 'sha1';
  if (cipher === undefined || prf === undefined) throw new Pkcs12Error('is encrypted in an unknown way');
  const iterations = boundedIterations(integerOf(derivation, 1));
  const salt = contentOf(derivation, 0, DER_OCTETS);
  return {
    name: cipher.name,
    key: pbkdf2Sync(password, salt, iterations, cipher.keyBytes, prf),
    iv: contentOf(encryption, 1, DER_OCTETS),
  };
}

/** SafeBag: identifier ‖ [0] SEQUENCE { kind, [0] octets } ‖ attributes. */
function certificateOf(bag: DerElement): Buffer[] {
  const parts = readDer(bag.content);
  if (oidOf(parts, 0) !== OID_CERTIFICATE_BAG) return [];
  const certificate = inside(inside(parts, 1, DER_CONTEXT_0), 0, DER_SEQUENCE);
  return [contentOf(inside(certificate, 1, DER_CONTEXT_0), 0, DER_OCTETS)];
}
