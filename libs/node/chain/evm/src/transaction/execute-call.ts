import type { AccessListEntry, Address, Log } from '@tetrad/types';
import { rulesOf } from '../forks/rules-of.js';
import type { FrameOutcome } from '../interpreter/hooks.js';
import { FAILURE } from '../interpreter/failure.js';
import { NOTHING } from '../interpreter/memory.js';
import { toWord } from '../word/word.js';
import type { World } from '../world/world.js';
import { drive } from './drive.js';
import { endTransaction } from './end-transaction.js';
import { toLog } from './execute-transaction.js';
import type { ExecutionContext } from './execution-context.js';
import { messageGas } from './intrinsic-gas.js';
import { prepare } from './prepare.js';
import { startMessage } from './start-message.js';

/** An unsigned message: a call, or one try of a gas estimate. */
export interface CallRequest {
  readonly from: Address;
  readonly to?: Address | undefined;
  /** Gas limit, intrinsic gas included; below 2^53. */
  readonly gas: number;
  /** Wei per unit of gas. */
  readonly gasPrice: bigint;
  /** Value in wei. */
  readonly value: bigint;
  readonly data: Uint8Array;
  readonly accessList: readonly AccessListEntry[];
}

export interface CallOutcome {
  readonly returnData: Uint8Array;
  /** After refunds, as a transaction would be charged. */
  readonly gasUsed: number;
  /** Before refunds: what the gas limit must at least be, next to the 63/64 rule. */
  readonly gasSpent: number;
  readonly logs: readonly Log[];
  readonly failure?: string;
}

/**
 * Runs the message as a transaction of its sender would, without nonce and fee checks, and ends that transaction.
 * @throws ExecutionAbortedError; whatever the source fails with
 */
export async function executeCall(
  context: ExecutionContext,
  request: CallRequest,
  world: World,
): Promise<CallOutcome> {
  const rules = rulesOf(context.fork);
  const { from, to, data, accessList, gas } = request;
  const subject = { creation: to === undefined, data, accessList };
  const { intrinsic, floor } = messageGas(subject, rules);
  const needed = Math.max(intrinsic, floor);
  if (gas < needed) return refused(gas, `${FAILURE.intrinsicGas}: gas ${gas}, minimum needed ${needed}`);
  const wanted = { sender: from, to, coinbase: context.block.coinbase, accessList };
  const participants = await prepare(world, wanted, context.hooks);
  if (BigInt(participants.sender.balance) < request.value) return refused(gas, FAILURE.insufficientBalance);
  const { journal } = world;
  const start = journal.checkpoint();
  const { nonce } = participants.sender;
  try {
    if (to === undefined) participants.sender.setNonce(nonce + 1n);
    const evm = startMessage(context, {
      sender: participants.sender,
      coinbase: participants.coinbase,
      target: participants.target,
      world,
      value: toWord(request.value),
      data,
      gas: gas - intrinsic,
      gasPrice: toWord(request.gasPrice),
      accessList,
      nonce,
    });
    await drive(evm);
    const outcome = evm.outcome as FrameOutcome;
    const spent = intrinsic + outcome.gasUsed;
    const refund = Math.min(journal.refund, Math.floor(spent / rules.refundQuotient));
    const logs = journal.logs.map(toLog);
    endTransaction(journal, rules);
    return {
      returnData: outcome.output,
      logs,
      gasUsed: Math.max(spent - refund, floor),
      gasSpent: Math.max(spent, floor),
      ...(outcome.failure === undefined ? {} : { failure: outcome.failure }),
    };
  } catch (error) {
    journal.revert(start);
    journal.next();
    throw error;
  }
}

function refused(gas: number, failure: string): CallOutcome {
  return { returnData: NOTHING, gasUsed: gas, gasSpent: gas, logs: [], failure };
}
