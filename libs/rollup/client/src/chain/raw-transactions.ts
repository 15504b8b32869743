import { keccak256 } from '@tetrad/crypto';
import { ChainRpcError, type EthereumClient, type Fees } from '@tetrad/rollup-chain';
import { signTransaction, type TransactionFees } from '@tetrad/transactions';
import { hashFromBytes, type Hash } from '@tetrad/types';
import type { ContractCall } from './send-transaction.js';

export interface RawTransaction {
  readonly raw: Uint8Array;
  readonly hash: Hash;
}

/** What a transaction says besides its call. */
interface Envelope extends Fees {
  readonly chainId: bigint;
  readonly nonce: number;
  readonly gasLimit: bigint;
  /** On chains without a base fee. */
  readonly isLegacy: boolean;
}

/** Signs a call. The same input gives the same bytes. */
export function signCall(call: ContractCall, envelope: Envelope, privateKey: Uint8Array): RawTransaction {
  const { to, data, value = 0n } = call;
  const { chainId, nonce, gasLimit } = envelope;
  const unsigned = { chainId, nonce: BigInt(nonce), to, value, data, gasLimit, fees: feeFields(envelope) };
  const raw = signTransaction(unsigned, privateKey);
  return { raw, hash: hashFromBytes(keccak256(raw)) };
}

/**
 * Sends it.
 *
 * @returns why the client does not take it
 * @throws ChainUnavailableError, after which it may have been taken
 */
export async function submitSigned(
  client: Pick<EthereumClient, 'sendRaw'>,
  raw: Uint8Array,
): Promise<ChainRpcError | undefined> {
  try {
    await client.sendRaw(raw);
    return undefined;
  } catch (error) {
    if (!(error instanceof ChainRpcError)) throw error;
    return error;
  }
}

function feeFields({ isLegacy, maxFee, maxPriorityFee }: Envelope): TransactionFees {
  if (isLegacy) return { type: 'legacy', gasPrice: maxFee };
  return { type: 'dynamicFee', maxFeePerGas: maxFee, maxPriorityFeePerGas: maxPriorityFee, accessList: [] };
}
