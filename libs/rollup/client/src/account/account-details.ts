import type { AccountDetailsView } from '@tetrad/api-rollup-operator';
import {
  decodeJointKey,
  decodePoint,
  encodeJointKey,
  encodePoint,
  type JointKey,
  type Point,
} from '@tetrad/rollup-crypto';
import { OperatorError } from '@tetrad/types';
import { jointKeyOf, type RollupKeys } from '../keys/rollup-keys.js';
import type { OperatorClient } from '../operator/operator-client.js';

/** Public details of an account. */
export interface AccountDetails {
  readonly id: number;
  readonly publicKey: Point;
  readonly jointKey: JointKey;
}

/** What says which keys of the operator the joint key of an account may have. */
export interface KnownOperatorKeys {
  knowsOperatorKey(key: Point): Promise<boolean>;
}

/**
 * The account of these keys; undefined until it is final.
 * @throws OperatorError when the operator says something that cannot be
 */
export async function findOwnAccount(
  operator: OperatorClient,
  rollup: KnownOperatorKeys,
  keys: RollupKeys,
): Promise<AccountDetails | undefined> {
  const view = await operator.call('pazkp_findAccountByPublicKey', [encodePoint(keys.publicKey)]);
  if (view === null) return undefined;
  const details = await detailsOf(view, rollup);
  const isOwn =
    same(encodePoint(details.publicKey), encodePoint(keys.publicKey)) &&
    same(encodeJointKey(details.jointKey), encodeJointKey(jointKeyOf(keys, details.jointKey.operator)));
  if (!isOwn) throw new OperatorError('the operator returned another account than requested');
  return details;
}

/** @throws OperatorError when the account does not exist yet, or the operator's answer is inconsistent */
export async function findAccount(
  operator: OperatorClient,
  rollup: KnownOperatorKeys,
  id: number,
): Promise<AccountDetails> {
  const view = await operator.call('pazkp_findAccountById', [id]);
  if (view === null) throw new OperatorError(`unknown account ${id}`);
  if (view.id !== id) throw new OperatorError('the operator returned another account than requested');
  return detailsOf(view, rollup);
}

async function detailsOf(view: AccountDetailsView, rollup: KnownOperatorKeys): Promise<AccountDetails> {
  const publicKey = decodePoint(view.publicKey);
  const jointKey = decodeJointKey(view.jointEncryptionKey);
  if (publicKey === undefined || jointKey === undefined)
    throw new OperatorError(`the operator's key of account ${view.id} is not a valid public key`);
  // This operator could not check a ciphertext for another operator's key; accounts keep the one they were made with.
  if (!(await rollup.knowsOperatorKey(jointKey.operator)))
    throw new OperatorError(`account ${view.id} has the joint key of another operator`);
  return { id: view.id, publicKey, jointKey };
}

function same(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, at) => byte === right[at]);
}
