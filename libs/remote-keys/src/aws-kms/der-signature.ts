/**
 * The bytes r (32) ‖ s (32) of an ECDSA signature in DER: SEQUENCE { INTEGER r, INTEGER s }.
 *
 * @returns undefined when it is not one of two numbers below 2^256
 */
export function compactFromDer(der: Uint8Array): Uint8Array | undefined {
  if (der[0] !== 0x30 || der[1] !== der.length - 2 || der.length > 2 + 2 * 35) return undefined;
  const r = integerAt(der, 2);
  const s = r === undefined ? undefined : integerAt(der, r.end);
  if (r === undefined || s === undefined || s.end !== der.length) return undefined;
  const compact = new Uint8Array(64);
  compact.set(r.bytes, 32 - r.bytes.length);
  compact.set(s.bytes, 64 - s.bytes.length);
  return compact;
}

function integerAt(
  der: Uint8Array,
  at: number,
): { readonly bytes: Uint8Array; readonly end: number } | undefined {
  const length = der[at + 1] ?? 0;
  const end = at + 2 + length;
  if (der[at] !== 0x02 || length === 0 || end > der.length) return undefined;
  const given = der.subarray(at + 2, end);
  const bytes = given[0] === 0 ? given.subarray(1) : given;
  return bytes.length > 32 ? undefined : { bytes, end };
}

/**
 * The 64 bytes x‖y of a SubjectPublicKeyInfo of the curve secp256k1.
 *
 * @returns undefined for any other key
 */
export function publicKeyFromSpki(spki: Uint8Array): Uint8Array | undefined {
  const isOurs = spki.length === SPKI.length + 64 && SPKI.every((byte, index) => spki[index] === byte);
  return isOurs ? spki.slice(SPKI.length) : undefined;
}

/** All before x: id-ecPublicKey, secp256k1, and a point without compression. Source: RFC 5480; SEC 2, appendix A.2.1 */
const SPKI = Buffer.from('3056301006072a8648ce3d020106052b8104000a03420004', 'hex');
