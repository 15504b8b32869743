import { createHash, timingSafeEqual } from 'node:crypto';
import { VaultError } from './vault-error.js';

const MAGIC = 0xfeedfeed;
const TRUSTED_CERTIFICATE = 2;
const DIGEST_BYTES = 20;

/**
 * The trusted certificates (DER) of a Java key store.
 *
 * Layout: magic (4) ‖ version (4) ‖ count (4) ‖ entries ‖ SHA-1 over password (UTF-16BE) ‖ "Mighty Aphrodite" ‖ all
 * before it (20). An entry of a certificate: tag 2 (4) ‖ alias (UTF) ‖ time (8) ‖ type (UTF) ‖ length (4) ‖ DER; UTF is
 * length (2) ‖ bytes. Certificates are not encrypted. Source: sun.security.provider.JavaKeyStore of OpenJDK.
 *
 * @throws VaultError
 */
export function certificatesOfJks(content: Buffer, password: string, file: string): readonly Uint8Array[] {
  if (content.length < 12 + DIGEST_BYTES || content.readUInt32BE(0) !== MAGIC) {
    throw new VaultError(`${file}: is not a JKS file`);
  }
  const body = content.subarray(0, -DIGEST_BYTES);
  const secret = Buffer.from(password, 'utf16le').swap16();
  const digest = createHash('sha1').update(secret).update('Mighty Aphrodite').update(body).digest();
  if (!timingSafeEqual(digest, content.subarray(-DIGEST_BYTES))) {
    throw new VaultError(`${file}: the password is wrong or the file is damaged`);
  }
  try {
    return readEntries(body);
  } catch {
    throw new VaultError(`${file}: contains an entry that is not a trusted certificate`);
  }
}

function readEntries(body: Buffer): Uint8Array[] {
  const version = body.readUInt32BE(4);
  const certificates: Uint8Array[] = [];
  let at = 12;
  const readUtf = () => {
    const length = body.readUInt16BE(at);
    at += 2 + length;
    return body.toString('utf8', at - length, at);
  };
  for (let left = body.readUInt32BE(8); left > 0; left--) {
    if (body.readUInt32BE(at) !== TRUSTED_CERTIFICATE) throw new RangeError('no certificate');
    at += 4;
    readUtf();
    at += 8;
    if (version === 2) readUtf();
    const length = body.readUInt32BE(at);
    at += 4 + length;
    if (at > body.length) throw new RangeError('cut off');
    certificates.push(body.subarray(at - length, at));
  }
  return certificates;
}
