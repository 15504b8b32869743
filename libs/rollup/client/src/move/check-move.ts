import type { EthereumClient } from '@tetrad/rollup-chain';
import { AMOUNT_LIMIT } from '@tetrad/rollup-state';
import { ZERO_ADDRESS, parseAddress, type Address } from '@tetrad/types';
import { isFrozen } from '../chain/is-frozen.js';
import type { RollupContract } from '../chain/rollup-contract.js';
import { rollupTokens } from '../chain/rollup-tokens.js';
import type { Held } from './held-amounts.js';
import { MoveRefusedError } from './move-refused-error.js';
import type { Amounts } from './moved-totals.js';

/** Gas of what a move sends at most: an approval and a deposit of each token. */
const DEPOSIT_GAS = 400_000n;
/** Of a way out by the chain: a request, the announcement and the freeze; the claim; each balance and each order. */
const REQUEST_GAS = 2_500_000n;
const CLAIM_GAS = 1_410_000n;
const BALANCE_GAS = 700_000n;
const ORDER_GAS = 1_300_000n;
/** Gas may be dearer by the time it is used. */
const PRICE_TIMES = 2n;

/** What a move is to do. */
export interface PlannedMove {
  /** The rollup that is left. */
  readonly contract: RollupContract;
  readonly successor: RollupContract;
  /** The address of the keys, which is paid and deposits. */
  readonly owner: Address;
  /** Id of the account in the rollup that is left. */
  readonly accountId: number;
  readonly held: Held;
  /** What moves, in base units: what is held, and what arrived before and was not deposited. */
  readonly amounts: Amounts;
  readonly byChain: boolean;
}

/**
 * Checks a move before anything of it is sent. That the successor is verified is for the caller.
 *
 * @param move - what it is to do
 * @throws MoveRefusedError with all that is in the way; as `RollupContract.values`
 */
export async function checkMove(move: PlannedMove): Promise<void> {
  const { contract, successor } = move;
  if (contract.address === successor.address)
    throw new MoveRefusedError(['the successor is the rollup itself']);
  const problems = [
    ...(await problemsOfSuccessor(successor)),
    ...(await problemsOfAmounts(successor, move.amounts)),
    ...(await problemsOfClaim(move)),
    ...(await problemsOfGas(move)),
  ];
  if (problems.length > 0) throw new MoveRefusedError(problems);
}

async function problemsOfSuccessor(successor: RollupContract): Promise<string[]> {
  if (successor.exitRules === 'turns')
    return [`the successor at ${successor.address} is of an earlier version, which does not freeze`];
  return (await isFrozen(successor)) ? [`the successor at ${successor.address} is frozen`] : [];
}

async function problemsOfAmounts(successor: RollupContract, amounts: Amounts): Promise<string[]> {
  const tokens = await rollupTokens(successor);
  const { minDeposit } = successor;
  return [...amounts].flatMap(([address, amount]) => {
    const name = address === ZERO_ADDRESS ? 'ether' : `token ${address}`;
    const token = tokens.find((each) => each.address === address);
    if (token === undefined) return [`${name} is not listed in the successor; --only names what moves`];
    const units = amount / token.unit;
    if (units < minDeposit)
      return [
        `${name}: ${amount} base units are ${units} units there, and its smallest deposit has ${minDeposit}; --only names what moves`,
      ];
    return units < AMOUNT_LIMIT ? [] : [`${name}: ${units} units there are more than a rollup can hold`];
  });
}

/** A frozen contract pays whom the account was claimed for, once and for all. */
async function problemsOfClaim({ contract, accountId, owner }: PlannedMove): Promise<string[]> {
  if (!(await isFrozen(contract))) return [];
  const recipient = parseAddress(String((await contract.values('claimed', [accountId]))[0]));
  if (recipient === ZERO_ADDRESS || recipient === owner) return [];
  return [`account ${accountId} is claimed for ${recipient}, who is paid in place of ${owner}`];
}

async function problemsOfGas({ contract, owner, held, amounts, byChain }: PlannedMove): Promise<string[]> {
  const { client } = contract;
  const isLeft = byChain || (await isFrozen(contract));
  const ofExit = CLAIM_GAS + BigInt(held.balances) * BALANCE_GAS + BigInt(held.orders) * ORDER_GAS;
  const gas = BigInt(amounts.size) * DEPOSIT_GAS + (isLeft ? ofExit : 0n) + (byChain ? REQUEST_GAS : 0n);
  const needed = await priceOf(client, gas);
  const has = await client.balance(owner);
  return has < needed
    ? [`${owner} has ${has} wei, and the gas of the move may cost ${needed}: send it ${needed - has} wei`]
    : [];
}

const priceOf = async (client: EthereumClient, gas: bigint): Promise<bigint> =>
  gas * PRICE_TIMES * (await client.gasPrice());
