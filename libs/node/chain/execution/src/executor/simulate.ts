import {
  FAILURE,
  executeCall,
  type CallOutcome as MessageOutcome,
  type CallRequest as Message,
  type ExecutionContext,
  type Hooks,
  type World,
} from '@tetrad/node-evm';
import { ZERO_ADDRESS, type AccessListEntry, type Address, type Log } from '@tetrad/types';
import type { WorldState } from '../state/world-state.js';
import type { BlockContext } from './block-context.js';
import type { Executor } from './executor.js';
import { paceOf, type Interruption } from './pace-of.js';

/** A message that is executed, and whose changes are discarded. */
export interface CallRequest {
  /** The zero address when absent. */
  readonly from?: Address | undefined;
  /** Absent for a contract creation. */
  readonly to?: Address | undefined;
  /** Gas limit, intrinsic gas included. */
  readonly gas?: bigint | undefined;
  /** Wei per unit of gas; 0 when absent. */
  readonly gasPrice?: bigint | undefined;
  /** Wei; 0 when absent. */
  readonly value?: bigint | undefined;
  readonly data?: Uint8Array | undefined;
  readonly accessList?: readonly AccessListEntry[] | undefined;
}

export interface CallOutcome {
  readonly returnData: Uint8Array;
  /** After refunds. */
  readonly gasUsed: bigint;
  /** Counted before refunds: what the gas limit must at least be, next to the 63/64 rule. */
  readonly gasSpent: bigint;
  readonly logs: readonly Log[];
  readonly failure?: { readonly kind: 'reverted' | 'outOfGas' | 'halted'; readonly message: string };
}

/** The part of a world that executions need. */
export interface SimulatedWorld {
  readonly evm: World;
  /** An independent world with the same changes. */
  copy(): SimulatedWorld;
}

/** Where a message runs: executor, block and world. */
export interface MessageStage extends Interruption {
  readonly executor: Pick<Executor, 'context'>;
  readonly block: BlockContext;
  /** Changed by overrides and by the call; pass a copy. */
  readonly world: SimulatedWorld;
  /** Hooks for an execution that begins in the world; each begins with new ones. */
  readonly hooksOf?: (world: World) => Hooks;
}

/** Where a message or a transaction runs; a transaction needs the whole executor and a world with a root. */
export interface Simulation extends MessageStage {
  readonly executor: Executor;
  readonly world: WorldState;
}

const NO_DATA = new Uint8Array(0);
/** More gas than any execution can use; the interpreter counts in numbers. */
const MAX_GAS = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Runs the message as a transaction of its sender would, without nonce and fee checks. The world is changed.
 * @throws ExecutionAbortedError
 */
export async function call(
  simulation: MessageStage,
  request: CallRequest & { readonly gas: bigint },
): Promise<CallOutcome> {
  const { context, world } = stageOf(simulation);
  return outcomeOf(await executeCall(context, messageOf(request), world));
}

/** The stage in the form of the interpreter: the execution context, with block and pace, and the world. */
export function stageOf(simulation: MessageStage): {
  readonly context: ExecutionContext;
  readonly world: World;
  readonly hooksOf?: MessageStage['hooksOf'];
} {
  const { executor, block, world, hooksOf } = simulation;
  const options = { ...paceOf(simulation), ...(hooksOf === undefined ? {} : { hooks: hooksOf(world.evm) }) };
  return {
    context: executor.context(block, options),
    world: world.evm,
    ...(hooksOf === undefined ? {} : { hooksOf }),
  };
}

/** The request in the form of the interpreter; the sender is the zero address when absent. */
export function messageOf({
  from = ZERO_ADDRESS,
  to,
  gas,
  ...request
}: CallRequest & { readonly gas: bigint }): Message {
  return {
    from,
    to,
    gas: Number(gas < MAX_GAS ? gas : MAX_GAS),
    gasPrice: request.gasPrice ?? 0n,
    value: request.value ?? 0n,
    data: request.data ?? NO_DATA,
    accessList: request.accessList ?? [],
  };
}

/** The outcome of the interpreter with gas as bigint and the failure classified. */
export function outcomeOf({ returnData, logs, gasUsed, gasSpent, failure }: MessageOutcome): CallOutcome {
  return {
    returnData,
    logs,
    gasUsed: BigInt(gasUsed),
    gasSpent: BigInt(gasSpent),
    ...(failure === undefined ? {} : { failure: failureOf(failure) }),
  };
}

function failureOf(message: string): NonNullable<CallOutcome['failure']> {
  if (message === FAILURE.reverted) return { kind: 'reverted', message };
  // geth's texts for the message itself differ from those for calls between contracts.
  if (message === FAILURE.insufficientBalance)
    return { kind: 'halted', message: 'insufficient funds for transfer' };
  const isShort = message === FAILURE.outOfGas || message.startsWith(FAILURE.intrinsicGas);
  return { kind: isShort ? 'outOfGas' : 'halted', message };
}
