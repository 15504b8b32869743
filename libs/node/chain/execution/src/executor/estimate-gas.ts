import { paceOf } from './pace-of.js';
import { call, type CallOutcome, type CallRequest, type MessageStage } from './simulate.js';

/** Gas of a transfer to an account without code. */
const TRANSFER_GAS = 21_000n;

export type GasEstimate =
  | { readonly kind: 'gas'; readonly gas: bigint }
  | { readonly kind: 'failure'; readonly outcome: CallOutcome };

/**
 * The smallest gas limit with which the request succeeds, found as in geth: by binary search over executions.
 *
 * Cost: up to about 20 executions; one for a plain transfer
 *
 * @param highest - the limit that must suffice; `simulation.world` is copied for every try
 * @returns the failure at `highest` when the request does not succeed even there
 */
export async function estimateGas(
  simulation: MessageStage,
  request: CallRequest,
  highest: bigint,
): Promise<GasEstimate> {
  const { giveWay } = paceOf(simulation);
  const attempt = async (gas: bigint): Promise<CallOutcome> => {
    const outcome = await call({ ...simulation, world: simulation.world.copy() }, { ...request, gas });
    await giveWay?.();
    return outcome;
  };

  const isTransfer =
    request.to !== undefined && (request.data?.length ?? 0) === 0 && !request.accessList?.length;
  if (isTransfer && highest >= TRANSFER_GAS) {
    const outcome = await attempt(TRANSFER_GAS);
    if (outcome.failure === undefined) return { kind: 'gas', gas: TRANSFER_GAS };
  }
  const outcome = await attempt(highest);
  if (outcome.failure !== undefined) return { kind: 'failure', outcome };

  let succeeds = highest;
  let fails = outcome.gasUsed - 1n;
  // Most requests need what they used, a refund, and a sixty-fourth for nested calls (EIP-150).
  const guess = ((outcome.gasSpent + 2_300n) * 64n) / 63n;
  if (guess < succeeds) {
    if ((await attempt(guess)).failure === undefined) succeeds = guess;
    else fails = guess;
  }
  while (fails + 1n < succeeds) {
    const middle = (fails + succeeds) / 2n;
    if ((await attempt(middle)).failure === undefined) succeeds = middle;
    else fails = middle;
  }
  return { kind: 'gas', gas: succeeds };
}
