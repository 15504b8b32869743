import type { SendRequest } from '@tetrad/api-node';
import type { TransactionFees, UnsignedTransaction } from '@tetrad/transactions';
import { RequestError, type Address } from '@tetrad/types';

/** Values for the members that a request leaves out. */
export interface Filled {
  readonly chainId: bigint;
  readonly nonce: bigint;
  readonly gasLimit: bigint;
}

/** Gas is free (interface document, "Limits"). */
export const DEFAULT_GAS_PRICE = 0n;

/** @throws RequestError EMPTY_CONTRACT_CREATION */
export function assertCreates({ to, data }: SendRequest): void {
  if (to === undefined && (data?.length ?? 0) === 0)
    throw new RequestError('EMPTY_CONTRACT_CREATION', 'contract creation without any data provided');
}

/** Gas price of a legacy transaction in wei, from whichever fee member the request has. */
export function gasPriceOf({ gasPrice, maxFeePerGas }: SendRequest): bigint {
  return gasPrice ?? maxFeePerGas ?? DEFAULT_GAS_PRICE;
}

/** The transaction to sign. */
export function buildTransaction(request: SendRequest, filled: Filled): UnsignedTransaction {
  return {
    chainId: filled.chainId,
    nonce: filled.nonce,
    gasLimit: filled.gasLimit,
    ...(request.to === undefined ? {} : { to: request.to }),
    value: request.value ?? 0n,
    data: request.data ?? new Uint8Array(0),
    fees: feesOf(request),
  };
}

/** The type that the request names or whose members it has; legacy otherwise, which every client understands. */
function feesOf(request: SendRequest): TransactionFees {
  const { type, maxFeePerGas, maxPriorityFeePerGas, gasPrice = DEFAULT_GAS_PRICE } = request;
  const accessList = request.accessList ?? [];
  if (type === 'dynamicFee' || (type === undefined && (maxFeePerGas ?? maxPriorityFeePerGas) !== undefined)) {
    const tip = maxPriorityFeePerGas ?? 0n;
    const cap = maxFeePerGas ?? (request.gasPrice === undefined ? tip : gasPrice);
    if (tip > cap) {
      throw new RequestError('TIP_ABOVE_FEE_CAP', `maxFeePerGas (${cap}) < maxPriorityFeePerGas (${tip})`);
    }
    return { type: 'dynamicFee', maxFeePerGas: cap, maxPriorityFeePerGas: tip, accessList };
  }
  if (type === 'accessList' || (type === undefined && request.accessList !== undefined)) {
    return { type: 'accessList', gasPrice, accessList };
  }
  return { type: 'legacy', gasPrice };
}

/**
 * The sender of a request: the one named, else the first account.
 * @throws RequestError
 */
export function senderOf(request: Pick<SendRequest, 'from'>, accounts: readonly Address[]): Address {
  const sender = request.from ?? accounts[0];
  if (sender === undefined)
    throw new RequestError('NO_DEFAULT_ACCOUNT', 'this node holds no account to send from');
  if (!accounts.includes(sender)) throw new RequestError('UNKNOWN_ACCOUNT', 'unknown account');
  return sender;
}
