import { createDecipheriv, createHmac, pbkdf2Sync, timingSafeEqual } from 'node:crypto';
import { Sequence } from 'asn1js';
import { VaultError } from './vault-error.js';
import { explicit0Of, integerOf, octetsOf, oidOf, parseAsn1, sequenceOf, type Asn1Element } from './asn1.js';
import { derivePkcs12 } from './pkcs12-derivation.js';

/** Object identifiers of RFC 7292, RFC 8018 and RFC 5652. */
const OID_DATA = '1.2.840.113549.1.7.1';
const OID_ENCRYPTED_DATA = '1.2.840.113549.1.7.6';
const OID_CERTIFICATE_BAG = '1.2.840.113549.1.12.10.1.3';
const OID_PBES2 = '1.2.840.113549.1.5.13';
const OID_PBE_SHA1_3DES = '1.2.840.113549.1.12.1.3';
const HASHES: Readonly<Record<string, string>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};
/** Pseudo-random functions of PBKDF2. */
const PRFS: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
};
const CIPHERS: Readonly<Record<string, { readonly name: string; readonly keyBytes: number }>> = {
  '2.16.840.1.101.3.4.1.42': { name: 'aes-256-cbc', keyBytes: 32 },
  '2.16.840.1.101.3.4.1.22': { name: 'aes-192-cbc', keyBytes: 24 },
  '2.16.840.1.101.3.4.1.2': { name: 'aes-128-cbc', keyBytes: 16 },
};
/** More iterations than any writer asks for; a file must not hold the process up for minutes. */
const MAX_ITERATIONS = 1_000_000;

/**
 * The certificates (DER) of a PKCS#12 file: what keytool and openssl write. `node:tls` reads such a file only when it
 * has a private key, which a store of trust has not; why no library does it is in docs/adr/0124.
 * @throws VaultError
 */
export function certificatesOfPkcs12(content: Buffer, password: string, file: string): readonly Uint8Array[] {
  try {
    const [, authSafe, mac] = sequenceOf(parseAsn1(content));
    const safe = dataOf(sequenceOf(authSafe));
    assertMac(mac, safe, password);
    return sequenceOf(parseAsn1(safe)).flatMap((info) => {
      const bags = safeContents(sequenceOf(info), password);
      return sequenceOf(parseAsn1(bags)).flatMap(certificateOf);
    });
  } catch (error) {
    const reason = error instanceof Pkcs12Error ? error.message : 'is not a PKCS#12 file, or is damaged';
    throw new VaultError(`${file}: ${reason}`);
  }
}

/** A problem of the file, with our own message. */
class Pkcs12Error extends Error {}

/** ContentInfo of plain data: identifier ‖ [0] octets. */
function dataOf([type, content]: readonly Asn1Element[]): Buffer {
  if (oidOf(type) !== OID_DATA) throw new Pkcs12Error('is protected by a public key, not by a password');
  return octetsOf(explicit0Of(content));
}

/** HMAC of the safe: SEQUENCE { SEQUENCE { hash, digest }, salt, iterations }. */
function assertMac(macData: Asn1Element | undefined, safe: Buffer, password: string): void {
  if (macData === undefined) throw new Pkcs12Error('has no MAC');
  const [digestInfo, macSalt, count] = sequenceOf(macData);
  const [algorithm, digest] = sequenceOf(digestInfo);
  const hash = HASHES[oidOf(sequenceOf(algorithm)[0])];
  if (hash === undefined) throw new Pkcs12Error('has an unknown MAC algorithm');
  const expected = octetsOf(digest);
  const iterations = count === undefined ? 1 : boundedIterations(integerOf(count));
  const salt = octetsOf(macSalt);
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

function safeContents(info: readonly Asn1Element[], password: string): Buffer {
  const [type, content] = info;
  if (oidOf(type) !== OID_ENCRYPTED_DATA) return dataOf(info);
  const [, encrypted] = sequenceOf(explicit0Of(content));
  const [, algorithm, octets] = sequenceOf(encrypted);
  return decrypt(sequenceOf(algorithm), octetsOf(octets), password);
}

function decrypt([scheme, params]: readonly Asn1Element[], encrypted: Buffer, password: string): Buffer {
  const { name, key, iv } = cipherOf(oidOf(scheme), sequenceOf(params), password);
  const decipher = createDecipheriv(name, key, iv);
  return Buffer.concat([decipher.update(encrypted), decipher.final()]);
}

function cipherOf(scheme: string, params: readonly Asn1Element[], password: string) {
  if (scheme === OID_PBES2) return pbes2Cipher(params, password);
  if (scheme !== OID_PBE_SHA1_3DES) {
    throw new Pkcs12Error('uses an old encryption that is not supported: encrypt it again with AES');
  }
  const [salt, count] = params;
  const shared = { hash: 'sha1', salt: octetsOf(salt), iterations: boundedIterations(integerOf(count)) };
  return {
    name: 'des-ede3-cbc',
    key: derivePkcs12(password, { ...shared, purpose: 'key', length: 24 }),
    iv: derivePkcs12(password, { ...shared, purpose: 'iv', length: 8 }),
  };
}

/** SEQUENCE { PBKDF2 { salt, iterations, key length?, prf? }, cipher { iv } }. */
function pbes2Cipher([derivation, encryption]: readonly Asn1Element[], password: string) {
  const parameters = sequenceOf(sequenceOf(derivation)[1]);
  const [salt, count] = parameters;
  const [kind, iv] = sequenceOf(encryption);
  const cipher = CIPHERS[oidOf(kind)];
  const last = parameters.at(-1);
  const prf = last instanceof Sequence ? PRFS[oidOf(sequenceOf(last)[0])] : 'sha1';
  if (cipher === undefined || prf === undefined) throw new Pkcs12Error('uses an unknown encryption');
  const iterations = boundedIterations(integerOf(count));
  const key = pbkdf2Sync(password, octetsOf(salt), iterations, cipher.keyBytes, prf);
  return { name: cipher.name, key, iv: octetsOf(iv) };
}

/** SafeBag: identifier ‖ [0] SEQUENCE { kind, [0] octets } ‖ attributes. */
function certificateOf(bag: Asn1Element): Buffer[] {
  const [type, value] = sequenceOf(bag);
  if (oidOf(type) !== OID_CERTIFICATE_BAG) return [];
  const [, certificate] = sequenceOf(explicit0Of(value));
  return [octetsOf(explicit0Of(certificate))];
}
