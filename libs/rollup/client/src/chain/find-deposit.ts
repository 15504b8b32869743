import type { EthereumReceipt, RegisteredTransfer } from '@tetrad/rollup-chain';
import { decodeWord, inboundMoneyOrder, totalIndex } from '@tetrad/rollup-crypto';
import { OperatorError } from '@tetrad/types';
import { listReceived, type ReceivedItem } from '../operator/list-pages.js';
import type { OperatorClient } from '../operator/operator-client.js';
import type { RollupContract } from './rollup-contract.js';

/** A deposit that the contract has registered, and the first total index that its order can have. */
export interface MadeDeposit extends RegisteredTransfer {
  readonly firstIndex: number;
}

/**
 * The deposit of a transaction.
 * @throws OperatorError when the client has no event of it
 */
export async function madeDeposit(
  contract: RollupContract,
  { transactionHash, blockNumber }: Pick<EthereumReceipt, 'transactionHash' | 'blockNumber'>,
): Promise<MadeDeposit> {
  const { client, address, codec } = contract;
  const logs = await client.logs(address, { from: blockNumber, to: blockNumber });
  const events = logs
    .filter((log) => log.transactionHash === transactionHash && log.address === address)
    .map((log) => codec.parseLog(log));
  const deposit = events.find((event) => event?.kind === 'inbound');
  if (deposit === undefined) throw new OperatorError(`no deposit of transaction ${transactionHash} is found`);
  // A batch of the same block may have taken it already.
  const { height } = await contract.state(blockNumber);
  return { ...deposit, firstIndex: totalIndex(height, 0) };
}

/** The money order that the deposit has become, once the operator has it as final; undefined before. */
export async function findDepositOrder(
  operator: OperatorClient,
  { firstIndex, ...deposit }: MadeDeposit,
): Promise<ReceivedItem | undefined> {
  const order = inboundMoneyOrder(deposit);
  const { accountId } = deposit;
  for await (const item of listReceived(operator, { accountId, fromIndex: firstIndex })) {
    const { fromAccountId, blindingFactor } = item.moneyOrder;
    const isDeposit = fromAccountId === order.fromAccountId;
    if (isDeposit && decodeWord(blindingFactor) === order.blindingFactor) return item;
  }
  return undefined;
}
