import type { Client } from 'viem';
import type { AccountMissingError, NodeAccountNeededError } from '../errors/account-errors.js';
import type { RejectionOf } from '../errors/request-error.js';
import { nodeAccount, type AccountParameter } from '../private/sending-account.js';
import { callOnce } from '../wire/call-method.js';
import type { Methods, ParametersOf } from '../wire/method-types.js';
import type { TxArgsParameter } from '../wire/methods.js';

/** Methods by which an admin changes permissions: their last parameter is the transaction of the admin's account. */
type AdminMethod = {
  [Name in keyof Methods]: Name extends `chainPermission_${string}`
    ? ParametersOf<Name> extends [...unknown[], TxArgsParameter]
      ? Name
      : never
    : never;
}[keyof Methods];

type WithoutTransaction<Parameters extends readonly unknown[]> = Parameters extends [...infer Words, unknown]
  ? Words
  : never;

export type AdminActionErrorType = AccountMissingError | NodeAccountNeededError | RejectionOf<AdminMethod>;

/** Sends an admin's action; it is in the pool when this returns, and takes effect when it is mined. */
export async function act<Method extends AdminMethod>(
  client: Client,
  method: Method,
  parameters: AccountParameter,
  ...words: WithoutTransaction<ParametersOf<Method>>
): Promise<void> {
  const from = nodeAccount(client, parameters, method);
  const wire = [...words, { from }] as unknown as ParametersOf<Method>;
  await callOnce(client, method, ...wire);
}

/** Numbers of the actions that change a status. */
export const STATUS_ACTIONS = { suspend: 1, activate: 2, denylist: 3 } as const;
