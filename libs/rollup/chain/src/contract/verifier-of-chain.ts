import type { VerifierKind } from '@tetrad/rollup-circuits';
import { bytesFromHex } from '@tetrad/types';
import { ChainRpcError, type EthereumClient } from '../ethereum-client.js';

/** MSTORE8(0, 1), MCOPY(1, 0, 1) (EIP-5656, Cancun), RETURN(0, 2): creation code that returns the byte and its copy. */
const PROBE = bytesFromHex('0x60016000536001600060015e60026000f3');

/**
 * The verifier for a chain: the optimized one where the latest block runs MCOPY, which came with Cancun; the standard one
 * where the client says that it cannot be executed. Nothing is sent.
 * @throws ChainUnavailableError
 */
export async function verifierOf(client: Pick<EthereumClient, 'call'>): Promise<VerifierKind> {
  try {
    const answer = await client.call({ data: PROBE });
    return answer.length === 2 && answer[0] === 1 && answer[1] === 1 ? 'optimized' : 'standard';
  } catch (error) {
    if (error instanceof ChainRpcError) return 'standard';
    throw error;
  }
}
