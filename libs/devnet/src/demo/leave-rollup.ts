import type { Address } from '@tetrad/types';
import { Interface } from 'ethers';
import { callRpc } from './call-rpc.js';
import { assert, type DemoContext } from './demo-context.js';
import { leave } from './rollup-exit.js';

/** Wei in a unit of the rollup. */
const UNIT = 1_000_000_000n;
const CONTRACT = new Interface(['function frozen() view returns (bool)']);

/** The holder whom the operator has not served freezes the contract; she and all others leave with what they have, without it. */
export async function leaveRollup(context: DemoContext): Promise<string> {
  const { exit, tell, nodeUrl } = context;
  assert(exit !== undefined, 'there is no rollup to leave');
  const { contract, holdings, recipients } = exit;
  tell('rollup: a holder waits until her request is overdue, and freezes the contract');
  const outcome = await exit.first;
  if ('failure' in outcome) throw outcome.failure;
  const height = /^the contract is frozen after batch (\d{1,9})\b/m.exec(outcome.said)?.[1];
  assert(height !== undefined, `she left a contract that is not frozen: ${outcome.said}`);
  const call = { to: contract, data: CONTRACT.encodeFunctionData('frozen') };
  const frozen = (await callRpc(nodeUrl, 'eth_call', [call, 'latest'])) as string;
  assert(BigInt(frozen) === 1n, 'the contract says that it is not frozen');
  tell('rollup: the other holders leave, who need not wait');
  for (const [place, holding] of holdings.entries())
    if (place > 0) await leave(holding, recipients[place] as Address);
  for (const [place, { units }] of holdings.entries())
    await assertUnits(context, recipients[place] as Address, units);
  await assertUnits(context, contract, 0n);
  const list = holdings.map(({ units }) => units).join(' and ');
  return `the operator of the rollup was gone: a holder's overdue request froze the contract after batch ${height}, and all holders left with their ${list} units by Merkle proofs, so that it holds nothing any more`;
}

/**
 * Fails unless an address has so many units of ether.
 *
 * @param context - of the demo
 * @param address - whose balance it is
 * @param units - of the rollup
 * @throws Error
 */
export async function assertUnits({ nodeUrl }: DemoContext, address: string, units: bigint): Promise<void> {
  const wei = BigInt((await callRpc(nodeUrl, 'eth_getBalance', [address, 'latest'])) as string);
  assert(wei === units * UNIT, `${address} has ${wei} wei instead of ${units * UNIT}`);
}
