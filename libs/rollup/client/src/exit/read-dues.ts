import { OperatorError } from '@tetrad/types';
import type { RollupContract } from '../chain/rollup-contract.js';
import type { Dues } from './freeze-step.js';

/** Unix times of the next thousands of years. */
const TIME_LIMIT = 2n ** 38n;
/** Above the window of a request of one unit while all that can be is held, by the longest time-out: no contract says a later time. */
const WINDOW_LIMIT = 2n ** 128n;

/**
 * Reads what is due of a contract that freezes, all of it of one block.
 *
 * @param contract - with the rules of docs/adr/0241
 * @param accountId - whose request it is
 * @returns what is due, and the time of the block
 * @throws OperatorError for an invalid time; as `RollupContract.values`
 */
export async function readDues(contract: RollupContract, accountId: number): Promise<Dues> {
  const { number, timestamp: now } = await contract.client.head();
  const [frozen, requestDue, nextDeposit, depositCount] = await Promise.all([
    contract.values('frozen', [], number),
    contract.read('overdueAt', [accountId], number),
    contract.read('nextDeposit', [], number),
    contract.read('depositCount', [], number),
  ]);
  const isWaiting = nextDeposit < depositCount;
  const deposit = isWaiting ? await contract.values('deposits', [nextDeposit], number) : undefined;
  return {
    ...{ now, isFrozen: frozen[0] === true },
    requestDue: requestDue === 0n ? undefined : timeOfRequest(requestDue),
    depositDue: deposit === undefined ? undefined : timeOf(deposit[3] as bigint),
  };
}

/** The window of dust may be longer than any time that there is: then it is the latest one. */
function timeOfRequest(seconds: bigint): number {
  const isLate = seconds >= TIME_LIMIT && seconds < WINDOW_LIMIT;
  return timeOf(isLate ? TIME_LIMIT - 1n : seconds);
}

function timeOf(seconds: bigint): number {
  if (seconds >= TIME_LIMIT)
    throw new OperatorError(`the Ethereum client says that ${seconds} is a time in seconds`);
  return Number(seconds);
}
