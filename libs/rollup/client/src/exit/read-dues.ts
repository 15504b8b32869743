import type { StateName } from '@tetrad/rollup-chain';
import { OperatorError } from '@tetrad/types';
import type { RollupContract } from '../chain/rollup-contract.js';
import type { Due, Dues } from './freeze-step.js';

/** Unix times of the next thousands of years, which a date can have. */
const LATEST = 2n ** 38n;
/** Above the window of a request of one unit while all that can be is held, by the longest time-out: no contract says a later time. */
const LIMIT = 2n ** 128n;

/** Places in what `requests` and `deposits` answer. */
const REQUEST_ANNOUNCED = 4;
const DEPOSIT_DUE = 3;
const DEPOSIT_ANNOUNCED = 5;

/**
 * Reads what is due of a contract that freezes, all of it of one block.
 *
 * @param contract - with the rules of docs/adr/0241
 * @param accountId - whose request it is
 * @param ownDeposit - index of the first deposit of the account that no batch has taken
 * @returns what is due, and the time of the block
 * @throws OperatorError for an invalid time; as `RollupContract.values`
 */
export async function readDues(
  contract: RollupContract,
  accountId: number,
  ownDeposit?: number,
): Promise<Dues> {
  const { hash, timestamp: now } = await contract.client.head();
  const state = { blockHash: hash };
  const [frozen, announcementSeconds, request, deposits] = await Promise.all([
    contract.values('frozen', [], state),
    contract.read('announcementTime', [], state),
    readRequest(contract, accountId, state),
    readDeposits(contract, ownDeposit, state),
  ]);
  return {
    now,
    isFrozen: frozen[0] === true,
    announcementSeconds: timeOf(announcementSeconds),
    request,
    deposits,
  };
}

async function readRequest(
  contract: RollupContract,
  accountId: number,
  state: StateName,
): Promise<Due | undefined> {
  const overdueAt = await contract.read('overdueAt', [accountId], state);
  if (overdueAt === 0n) return undefined;
  const request = await contract.values('requests', [accountId], state);
  return dueOf(overdueAt, request[REQUEST_ANNOUNCED]);
}

async function readDeposits(
  contract: RollupContract,
  own: number | undefined,
  state: StateName,
): Promise<Dues['deposits']> {
  const [next, count] = await Promise.all([
    contract.read('nextDeposit', [], state),
    contract.read('depositCount', [], state),
  ]);
  const isWaiting = (index: number) => BigInt(index) >= next && BigInt(index) < count;
  const indexes = new Set([Number(next), ...(own === undefined ? [] : [own])].filter(isWaiting));
  return Promise.all(
    [...indexes].map(async (index) => {
      const deposit = await contract.values('deposits', [index], state);
      return { index, ...dueOf(deposit[DEPOSIT_DUE] as bigint, deposit[DEPOSIT_ANNOUNCED]) };
    }),
  );
}

function dueOf(overdueAt: bigint, announced: unknown): Due {
  return {
    overdueAt: timeOf(overdueAt),
    announcedAt: announced === 0n ? undefined : timeOf(announced as bigint),
  };
}

/** No later than a date can be: what moves a billionth of a token is overdue in thousands of years. */
function timeOf(seconds: bigint): number {
  if (seconds >= LIMIT)
    throw new OperatorError(`the Ethereum client says that ${seconds} is a time in seconds`);
  return Number(seconds < LATEST ? seconds : LATEST);
}
