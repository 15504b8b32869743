import type { Account, Address, Client } from 'viem';
import { parseAccount } from 'viem/utils';
import { AccountMissingError, NodeAccountNeededError } from '../errors/account-errors.js';

/** The account that sends; that of the client when absent. */
export interface AccountParameter {
  readonly account?: Account | Address | undefined;
}

/**
 * The account of the call, or of the client.
 *
 * @throws AccountMissingError
 */
export function sendingAccount(client: Client, { account = client.account }: AccountParameter): Account {
  if (account === undefined) throw new AccountMissingError();
  return parseAccount(account);
}

/**
 * The address of an account that the node holds.
 *
 * @throws AccountMissingError
 * @throws NodeAccountNeededError for a local account
 */
export function nodeAccount(client: Client, parameters: AccountParameter, method: string): Address {
  const { address, type } = sendingAccount(client, parameters);
  if (type !== 'json-rpc') throw new NodeAccountNeededError({ address, method });
  return address;
}
