import { RequestError } from '@tetrad/types';
import {
  formatCoinAddress,
  type CoinAddress,
  type CoinNetwork,
  SIGNATURE_TYPE,
  SigningError,
  protocolOfSignatureType,
  type CoinSignature,
  type SigningPool,
} from '@tetrad/wallet-key';

/**
 * Whether a signature of data is by the key behind an address, which the wallet need not hold. An address without a
 * key (of an actor or an id) has signed nothing: false.
 * @throws RequestError SIGNATURE_TYPE_MISMATCH when the scheme is not that of the address's key,
 *   TOO_MANY_CONCURRENT_REQUESTS
 */
export async function verifyData(
  { pool, network }: { readonly pool: Pick<SigningPool, 'verify'>; readonly network: CoinNetwork },
  { address, data, signature }: { address: CoinAddress; data: Uint8Array; signature: CoinSignature },
): Promise<boolean> {
  const fitting = Object.values(SIGNATURE_TYPE).find(
    (type) => protocolOfSignatureType(type) === address.protocol,
  );
  if (fitting === undefined) return false;
  if (fitting !== signature.type) {
    const text = `Type ${signature.type} does not fit ${formatCoinAddress(address, network)}, whose type is ${fitting}`;
    throw new RequestError('SIGNATURE_TYPE_MISMATCH', text, { field: 'signature.Type' });
  }
  try {
    return await pool.verify(address, data, signature);
  } catch (error) {
    throw error instanceof SigningError ? poolError(error) : error;
  }
}

/**
 * The error of callers when the threads accept no more work.
 * @param error - POOL_FULL or POOL_CLOSED
 */
export function poolError(error: SigningError): RequestError {
  return new RequestError('TOO_MANY_CONCURRENT_REQUESTS', error.message);
}
