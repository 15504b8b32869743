import { encodeOperation } from '@tetrad/node-permission-contracts';
import { RequestError, bytesFromHex, type Address, type Hash } from '@tetrad/types';
import { checkAction, type ActionContext, type PermissionAction } from './action.js';
import { contractNode } from './enode-url.js';
import { actionFailure, actionRejection } from './rejection-texts.js';

/** Gas of an action whose sender names none: there is no estimate, so that what reverts is mined and seen. */
export const DEFAULT_ACTION_GAS = 4_712_384n;

/** What an action reads of its transaction arguments. */
export interface ActionArguments {
  readonly from: Address;
  readonly gas?: bigint;
  readonly gasPrice?: bigint;
}

/** A transaction of an account of this node; its nonce is the next one. */
export interface ActionTransaction {
  readonly from: Address;
  readonly to: Address;
  readonly data: Uint8Array;
  readonly gas: bigint;
  readonly gasPrice: bigint;
}

/** Signs for accounts of this node, and puts into its pool. */
export interface ActionSender {
  accounts(): readonly Address[];
  /** Fails: RequestError of the rules of accounts and the pool */
  send(transaction: ActionTransaction): Promise<Hash>;
}

export interface ActionParts extends ActionContext {
  /** The interface contract. */
  readonly interfaceAddress: Address;
  readonly sender: ActionSender;
}

/**
 * Checks the action and sends it to the contracts. It is done once it is mined, and may revert even then.
 *
 * Out:   hash of the transaction
 * Fails: RequestError INVALID_ACCOUNT for a caller that is no account of this node, then of the first rule that does not
 *        hold, then PERMISSION_ACTION_FAILED with why the transaction was not taken
 */
export async function performAction(
  parts: ActionParts,
  { from, gas = DEFAULT_ACTION_GAS, gasPrice = 0n }: ActionArguments,
  action: PermissionAction,
): Promise<Hash> {
  const { sender, naming, interfaceAddress } = parts;
  if (!sender.accounts().includes(from)) throw actionRejection('INVALID_ACCOUNT');
  await checkAction(action, parts);
  const operation = action.operation((url) => contractNode(url, naming));
  const data = bytesFromHex(encodeOperation(naming.model, operation));
  try {
    return await sender.send({ from, to: interfaceAddress, data, gas, gasPrice });
  } catch (error) {
    if (error instanceof RequestError) throw actionFailure(error.message);
    throw error;
  }
}
