import { stateProofValues } from '@tetrad/rollup-chain';
import { ciphertextWords } from '@tetrad/rollup-crypto';
import { proveAccount, proveBalance, proveOrder, type AccountRecovery } from '@tetrad/rollup-state';
import { OperatorError, type Address } from '@tetrad/types';
import type { RollupKeys } from '../keys/rollup-keys.js';
import { signOutboundTransfer, signRedemption, type RollupParameters } from '../operations/sign-operation.js';
import type { RequestChoice } from './choose-request.js';

/** A call of the contract. */
export interface NamedCall {
  readonly name: string;
  readonly values: readonly unknown[];
}

/** Who signs, and the state that it is proved against. */
export interface RequestInput {
  readonly rollup: RollupParameters;
  readonly keys: RollupKeys;
  readonly recovery: AccountRecovery;
  /** Who is paid by a transfer. */
  readonly recipient: Address;
}

/**
 * Signs an operation and proves that it can be made: what the contract takes as a request (docs/adr/0241).
 *
 * @param input - keys, state and recipient
 * @param choice - what is asked for
 * @returns the call of the contract
 * @throws OperatorError for keys without an account
 */
export function requestCall(input: RequestInput, choice: RequestChoice): NamedCall {
  const { rollup, keys, recovery, recipient } = input;
  const { own, next } = recovery;
  if (own === undefined) throw new OperatorError('the rollup has no account of these keys');
  const account = proveAccount(recovery, own);
  const nonce = own.nonce + 1;
  const provedHeight = next.height - 1;
  if (choice.kind === 'transfer') {
    const { tokenId, amount } = choice;
    const transfer = { fromAccountId: own.id, toEthereumAddress: recipient, tokenId, amount, nonce };
    const { signature } = signOutboundTransfer(rollup, keys, transfer);
    const balance = proveBalance(own, tokenId);
    const proved = stateProofValues.transfer({ account, balance, amount, recipient, signature });
    return { name: 'requestTransfer', values: [provedHeight, proved] };
  }
  const { received } = choice;
  // Its own texts are to the operator's key of the time in which the account was made.
  const ownKeys = { domain: rollup.domain, operatorKey: own.jointKey.operator };
  const { operation, signature } = signRedemption(ownKeys, keys, { ...received, nonce });
  const balance = proveBalance(own, received.order.tokenId);
  const order = proveOrder(recovery, received);
  const text = ciphertextWords(operation.ciphertext);
  const proved = stateProofValues.redemption({ account, balance, order, text, signature });
  return { name: 'requestRedemption', values: [provedHeight, proved] };
}
