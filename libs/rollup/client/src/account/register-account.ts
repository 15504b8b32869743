import type { RegistrationStatus } from '@tetrad/api-rollup-operator';
import type { RollupKeys } from '../keys/rollup-keys.js';
import type { OperatorClient } from '../operator/operator-client.js';
import { accountCreationParams } from '../operations/operation-call.js';
import { signAccountCreation, type RollupParameters } from '../operations/sign-operation.js';

/** Asks the operator for an account of these keys; it has an id once its batch is final. */
export async function registerAccount(
  operator: OperatorClient,
  rollup: RollupParameters,
  keys: RollupKeys,
): Promise<RegistrationStatus> {
  const params = accountCreationParams(signAccountCreation(rollup, keys));
  return (await operator.call('pazkp_createAccount', params)).status;
}
