/** DER of the object identifier 1.3.132.0.10, secp256k1. Source: SEC 2, appendix A.2.1 */
export const SECP256K1_OID = Uint8Array.of(0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x0a);

/**
 * The 64 bytes x‖y of CKA_EC_POINT: an uncompressed point in a DER OCTET STRING, or bare, as some tokens give it.
 *
 * @returns undefined when it is neither
 */
export function pointBytes(point: Uint8Array): Uint8Array | undefined {
  const isWrapped = point.length === 67 && point[0] === 0x04 && point[1] === 0x41;
  const bare = isWrapped ? point.subarray(2) : point;
  return bare.length === 65 && bare[0] === 0x04 ? bare.slice(1) : undefined;
}
