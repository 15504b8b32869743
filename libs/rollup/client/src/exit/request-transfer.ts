import type { EthereumReceipt } from '@tetrad/rollup-chain';
import { balanceOf } from '@tetrad/rollup-state';
import { OperatorError, type Address } from '@tetrad/types';
import type { RollupContract } from '../chain/rollup-contract.js';
import type { SendOptions } from '../chain/send-transaction.js';
import type { RollupKeys } from '../keys/rollup-keys.js';
import { requestInTurns } from '../turns/turn-requests.js';
import { AccountFollower } from './account-follower.js';
import { requestCall } from './request-operation.js';

/** A transfer out that a holder wants the operator to make. */
export interface WantedTransfer {
  readonly toEthereumAddress: Address;
  readonly tokenId: number;
  /** Units of the rollup. */
  readonly amount: bigint;
}

/**
 * Requests one transfer on the contract, by the keys and the chain alone. An operator that leaves it overdue has its contract frozen
 * (docs/adr/0241), or loses its turn (docs/adr/0215).
 *
 * @param contract - the rollup
 * @param keys - of the account
 * @param wanted - transfer: what is wanted; fromBlock: the block of the contract's creation, or one before
 * @param options - who sends it
 * @returns the receipt of the request
 * @throws OperatorError for keys without an account, or more than it holds; as `AccountFollower.look` and `RollupContract.send`
 */
export async function requestTransfer(
  contract: RollupContract,
  keys: RollupKeys,
  { transfer, fromBlock }: { readonly transfer: WantedTransfer; readonly fromBlock: number },
  options: SendOptions,
): Promise<EthereumReceipt> {
  const recovery = await new AccountFollower(contract, keys, fromBlock).look();
  const { own } = recovery;
  if (own === undefined) throw new OperatorError('the rollup has no account of these keys');
  if (contract.exitRules === 'turns')
    return requestInTurns(contract, { ...transfer, fromAccountId: own.id }, options);
  const { tokenId, amount, toEthereumAddress: recipient } = transfer;
  const held = balanceOf(own, tokenId);
  if (held < amount)
    throw new OperatorError(`amount: the account holds ${held} units of token ${tokenId}, not ${amount}`);
  const input = { rollup: contract, keys, recovery, recipient };
  const { name, values } = requestCall(input, { kind: 'transfer', tokenId, amount });
  return contract.send(name, values, options);
}
