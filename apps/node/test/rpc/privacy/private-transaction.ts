import { keccak256, signDigest } from '@tetrad/crypto';
import { encodeRlp } from '@tetrad/rlp';
import { legacyFields, trimmed } from '@tetrad/transactions';
import { bytesFromScalar, hexFromBytes, type Address } from '@tetrad/types';

/** V of a private transaction without the recovery id. */
const PRIVATE_V = 37;

/** A signed private transaction, whose data is the hash of a payload. Source: docs/spec/private-transactions.md#signatures */
export function signPrivately(
  { nonce, to, payloadHash }: { nonce: bigint; to?: Address | undefined; payloadHash: Uint8Array },
  privateKey: Uint8Array,
): string {
  const content = { nonce, gasPrice: 0n, gasLimit: 3_000_000n, to, value: 0n, data: payloadHash };
  const fields = legacyFields(content);
  const { r, s, parity } = signDigest(keccak256(encodeRlp(fields)), privateKey);
  const v = bytesFromScalar(PRIVATE_V + parity);
  return hexFromBytes(encodeRlp([...fields, v, trimmed(r), trimmed(s)]));
}
