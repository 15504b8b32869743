import { OperatorError } from '@tetrad/types';
import { acceptedBatch } from '../chain/accepted-batches.js';
import type { RollupContract } from '../chain/rollup-contract.js';
import type { AccountTotals, AuditReport, FrozenState, UnredeemedOrder } from './audit-report.js';
import type { ViewKey, ViewPeriod } from './view-key.js';

/**
 * What the holder has taken out of the contract by proofs: no operation says it, and only a frozen contract allows it.
 *
 * @param contract - the contract, which is asked
 * @param viewKey - of which account and period
 * @param after - what the account had after the period
 * @returns undefined for a contract that is not frozen, or made batches after the period
 */
export async function readFrozenState(
  contract: RollupContract,
  { account, period }: ViewKey,
  after: { readonly closing: AccountTotals; readonly unredeemed: readonly UnredeemedOrder[] },
): Promise<FrozenState | undefined> {
  if (contract.exitRules !== 'freeze' || !(await isTrue(contract, 'frozen', []))) return undefined;
  if ((await contract.state()).height !== period.to) return undefined;
  const withdrawnTokens: number[] = [];
  for (const tokenId of after.closing.balances.keys())
    if (await isTrue(contract, 'isBalanceWithdrawn', [account.id, tokenId])) withdrawnTokens.push(tokenId);
  const withdrawnOrders: number[] = [];
  for (const { totalIndex, state } of after.unredeemed)
    if (state === 'open' && (await isTrue(contract, 'isOrderWithdrawn', [totalIndex])))
      withdrawnOrders.push(totalIndex);
  return { withdrawnTokens, withdrawnOrders };
}

async function isTrue(contract: RollupContract, name: string, values: readonly unknown[]): Promise<boolean> {
  return (await contract.values(name, values))[0] === true;
}

/**
 * Times of the batches next to a period.
 *
 * @param contract - that accepted them
 * @param period - the period
 * @param firstBlock - of the contract's creation, or one before
 * @returns the times of their blocks in seconds; undefined where there is no batch, or the client does not show it
 */
export async function readNeighbours(
  contract: RollupContract,
  { from, to, fromBlock, toBlock }: ViewPeriod,
  firstBlock: number,
): Promise<AuditReport['neighbours']> {
  const { height } = await contract.state();
  const head = await contract.client.blockNumber();
  return {
    before:
      from === 1
        ? undefined
        : await timeOf(contract, { height: from - 1, fromBlock: firstBlock, toBlock: fromBlock }),
    after:
      to >= height
        ? undefined
        : await timeOf(contract, { height: to + 1, fromBlock: toBlock, toBlock: head }),
  };
}

async function timeOf(
  contract: RollupContract,
  range: { readonly height: number; readonly fromBlock: number; readonly toBlock: number },
): Promise<number | undefined> {
  try {
    const { blockNumber } = await acceptedBatch(contract, range);
    return (await contract.client.block(blockNumber))?.timestamp;
  } catch (error) {
    if (error instanceof OperatorError) return undefined;
    throw error;
  }
}
