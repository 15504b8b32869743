import {
  encodeOperation,
  type PermissionModel,
  type PermissionOperation,
} from '@tetrad/node-permission-contracts';
import { RequestError, bytesFromHex, type Address, type Hash } from '@tetrad/types';
import { checkAction, type ActionContext, type PermissionAction } from './action.js';
import { contractNode } from './enode-url.js';
import { actionFailure, actionRejection } from './rejection-texts.js';

/** Default gas of an action. It is not estimated, so that an action that reverts is mined and visible. */
const DEFAULT_ACTION_GAS = 4_712_384n;

/** The transaction arguments that an action uses. */
export interface ActionArguments {
  readonly from: Address;
  readonly gas?: bigint;
  /** Wei per unit of gas; 0 when absent. */
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

/** Signs for accounts of this node, and adds to its pool. */
export interface ActionSender {
  accounts(): readonly Address[];
  /** @throws RequestError of the rules of accounts and the pool */
  send(transaction: ActionTransaction): Promise<Hash>;
}

export interface ActionParts extends ActionContext {
  /** The interface contract. */
  readonly interfaceAddress: Address;
  readonly sender: ActionSender;
}

/**
 * Checks the action and sends it to the contracts. It takes effect when it is mined, and may still revert then.
 * @returns hash of the transaction
 * @throws RequestError INVALID_ACCOUNT for a caller that is not an account of this node, then of the first rule that
 *   does not hold, then PERMISSION_ACTION_FAILED with the reason why the pool rejected the transaction
 */
export async function performAction(
  parts: ActionParts,
  { from, gas = DEFAULT_ACTION_GAS, gasPrice = 0n }: ActionArguments,
  action: PermissionAction,
): Promise<Hash> {
  const { sender, naming, interfaceAddress } = parts;
  if (!sender.accounts().includes(from)) throw actionRejection('INVALID_ACCOUNT');
  await checkAction(action, parts);
  const data = encoded(
    naming.model,
    action.operation((url) => contractNode(url, naming)),
  );
  try {
    return await sender.send({ from, to: interfaceAddress, data, gas, gasPrice });
  } catch (error) {
    if (error instanceof RequestError) throw actionFailure(error.message);
    throw error;
  }
}

/** @throws RequestError INVALID_INPUT for a text that no bytes of the contracts stand for */
function encoded(model: PermissionModel, operation: PermissionOperation): Uint8Array {
  try {
    return bytesFromHex(encodeOperation(model, operation));
  } catch (error) {
    if (error instanceof TypeError) throw actionRejection('INVALID_INPUT');
    throw error;
  }
}
