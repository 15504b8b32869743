import { privacyGroupId, type TransactionFees } from '@tetrad/transactions';
import { RequestError, type AccessListEntry, type Address, type PtmKey } from '@tetrad/types';
import type { CompleteTransaction } from './sign-transaction.js';

/** Defaults of the interface document, "Limits". */

/** Gas of a transaction that names none. */
export const DEFAULT_GAS = 90_000n;

/** Wei per gas of a transaction that names none. */
export const DEFAULT_GAS_PRICE = 0n;

/** What public and private transactions have in common; what is left out takes the defaults. */
interface CommonRequest {
  /** Name of the account: its address in lower case. */
  readonly from: string;
  readonly to?: Address | undefined;
  readonly gas?: bigint | undefined;
  /** Gas price in wei. */
  readonly gasPrice?: bigint | undefined;
  readonly nonce?: bigint | undefined;
  readonly data?: Uint8Array | undefined;
  readonly chainId?: bigint | undefined;
  /** What the Ethereum client estimates, for a request without gas. */
  readonly estimatedGas?: bigint | undefined;
}

/** A public transaction as callers ask for it. */
export interface SendRequest extends CommonRequest {
  /** Max fee per gas in wei. */
  readonly maxFeePerGas?: bigint | undefined;
  /** Max priority fee per gas in wei. */
  readonly maxPriorityFeePerGas?: bigint | undefined;
  /** Value in wei. */
  readonly value?: bigint | undefined;
  readonly accessList?: readonly AccessListEntry[] | undefined;
}

/** A restricted private transaction as callers ask for it, for recipients or for a group. */
export interface PrivateSendRequest extends CommonRequest {
  readonly privateFrom: PtmKey;
  readonly privateFor?: readonly PtmKey[] | undefined;
  readonly privacyGroupId?: PtmKey | undefined;
}

/** One call of the Ethereum client. */
export interface ClientCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** How one transaction gets its nonce, its bytes and its way to the Ethereum client. */
export interface SendPlan {
  readonly chainId: bigint;
  readonly account: Address;
  /** Whose nonces it takes, beside those of public transactions. */
  readonly privacyGroup?: PtmKey | undefined;
  /** As the caller gives it; otherwise it takes the next one. */
  readonly nonce: bigint | undefined;
  /** Asks the client for the account's next nonce. */
  readonly nonceLookup: ClientCall;
  /** Method that takes the signed transaction. */
  readonly submission: 'eth_sendRawTransaction' | 'eea_sendRawTransaction';
  /** Whether the gas is an estimate, which may be another one when the request is repeated. */
  readonly hasEstimatedGas: boolean;
  complete(nonce: bigint): CompleteTransaction;
}

/** @throws RequestError CHAIN_ID_MISMATCH */
export function planPublic(request: SendRequest, account: Address, chainId: bigint): SendPlan {
  assertChain(request.chainId, chainId);
  const { to, gasLimit, data } = commonOf(request, chainId);
  const { value = 0n } = request;
  const fees = feesOf(request);
  return {
    chainId,
    account,
    nonce: request.nonce,
    nonceLookup: { method: 'eth_getTransactionCount', params: [account, 'pending'] },
    submission: 'eth_sendRawTransaction',
    hasEstimatedGas: isEstimated(request),
    // Member by member: copying an object would cost more than encoding all of it. The order is that of the audit log.
    complete: (nonce) => ({ chainId, to, gasLimit, fees, data, nonce, value }),
  };
}

/**
 * Dynamic fees when both of them are there, an access list when there is one, otherwise a legacy transaction.
 *
 * Source: docs/spec/signing-proxy.md#parameters-of-a-transaction: one fee alone does not make a dynamic-fee transaction
 */
function feesOf(request: SendRequest): TransactionFees {
  const { maxFeePerGas, maxPriorityFeePerGas, accessList, gasPrice = DEFAULT_GAS_PRICE } = request;
  if (maxFeePerGas !== undefined && maxPriorityFeePerGas !== undefined) {
    return { type: 'dynamicFee', maxFeePerGas, maxPriorityFeePerGas, accessList: accessList ?? [] };
  }
  return accessList === undefined
    ? { type: 'legacy', gasPrice }
    : { type: 'accessList', gasPrice, accessList };
}

/** @throws RequestError CHAIN_ID_MISMATCH */
export function planPrivate(request: PrivateSendRequest, account: Address, chainId: bigint): SendPlan {
  assertChain(request.chainId, chainId);
  const { privateFrom, privateFor = [] } = request;
  const common = commonOf(request, chainId);
  const group = request.privacyGroupId;
  return {
    chainId,
    account,
    privacyGroup: group ?? privacyGroupId(privateFrom, privateFor),
    nonce: request.nonce,
    nonceLookup:
      group === undefined
        ? { method: 'priv_getEeaTransactionCount', params: [account, privateFrom, privateFor] }
        : { method: 'priv_getTransactionCount', params: [account, group] },
    submission: 'eea_sendRawTransaction',
    hasEstimatedGas: isEstimated(request),
    complete: (nonce) => ({ ...common, nonce, privateFrom, recipients: group ?? privateFor }),
  };
}

function isEstimated({ gas, estimatedGas }: CommonRequest): boolean {
  return gas === undefined && estimatedGas !== undefined;
}

function commonOf({ to, gas, estimatedGas, gasPrice, data }: CommonRequest, chainId: bigint) {
  return {
    chainId,
    to,
    gasLimit: gas ?? estimatedGas ?? DEFAULT_GAS,
    gasPrice: gasPrice ?? DEFAULT_GAS_PRICE,
    data: data ?? new Uint8Array(0),
  };
}

function assertChain(asked: bigint | undefined, chainId: bigint): void {
  if (asked === undefined || asked === chainId) return;
  throw new RequestError('CHAIN_ID_MISMATCH', 'Wrong chainId', {
    asked: asked.toString(),
    chainId: chainId.toString(),
  });
}
