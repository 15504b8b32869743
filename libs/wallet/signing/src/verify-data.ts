import { RefusalError } from '@tetrad/types';
import { formatCoinAddress, type CoinAddress, type CoinNetwork } from '@tetrad/wallet-address';
import {
  SIGNATURE_TYPE,
  protocolOfSignatureType,
  type CoinSignature,
  type SigningPool,
} from '@tetrad/wallet-signature';

/**
 * Whether a signature of data is by the key behind an address, which the wallet need not hold. An address without a
 * key (of an actor or an id) has signed nothing: false.
 *
 * Fails: RefusalError SIGNATURE_TYPE_MISMATCH when the scheme is not that of the address's key
 */
export async function verifyData(
  { pool, network }: { readonly pool: SigningPool; readonly network: CoinNetwork },
  { address, data, signature }: { address: CoinAddress; data: Uint8Array; signature: CoinSignature },
): Promise<boolean> {
  const fitting = Object.values(SIGNATURE_TYPE).find(
    (type) => protocolOfSignatureType(type) === address.protocol,
  );
  if (fitting === undefined) return false;
  if (fitting !== signature.type) {
    const text = `Type ${signature.type} does not fit ${formatCoinAddress(address, network)}, whose type is ${fitting}`;
    throw new RefusalError('SIGNATURE_TYPE_MISMATCH', text, { field: 'signature.Type' });
  }
  return pool.verify(address, data, signature);
}
