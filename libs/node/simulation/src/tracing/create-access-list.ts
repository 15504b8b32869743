import {
  addressOfCreation,
  executeCall,
  rulesOf,
  wordFromAddress,
  type CallOutcome,
  type CallRequest,
  type ExecutionContext,
  type Word,
  type World,
} from '@tetrad/node-evm';
import type { AccessListEntry } from '@tetrad/types';
import { AccessRecorder } from './access-recorder.js';
import { loadAll } from './load-all.js';
import type { Stage } from './run-recorded.js';

/** A list changes what its call has gas for, so that it may touch more. Each run adds something, or is the last. */
const MOST_RUNS = 16;

export interface AccessListOutcome {
  readonly accessList: readonly AccessListEntry[];
  /** What the call does with the list. */
  readonly outcome: CallOutcome;
}

/**
 * The access list (EIP-2930) of a call: what it touches when it runs with that very list, without what is warm anyway.
 *
 * As geth's eth_createAccessList: what fails in the end is named too. The world stays as it is.
 *
 * Fails: ExecutionAbortedError; whatever the source fails with
 */
export async function createAccessList(
  { context, world, hooksOf }: Stage,
  request: CallRequest,
): Promise<AccessListOutcome> {
  const isFree = await warmFromStart({ context, world }, request);
  let list = new AccessRecorder(request.accessList, isFree).list;
  for (let run = 1; ; run++) {
    const recorder = new AccessRecorder(list, isFree);
    const { size } = recorder;
    const copy = world.copy();
    const hooks = hooksOf === undefined ? {} : { hooks: hooksOf(copy) };
    const stage = { ...context, ...hooks, listener: recorder };
    const outcome = await executeCall(stage, { ...request, accessList: list }, copy);
    if (recorder.size === size || run === MOST_RUNS) return { accessList: list, outcome };
    list = recorder.list;
  }
}

/** Sender, target, precompiles, and from Shanghai on the coinbase. EIP-2929, EIP-3651. */
async function warmFromStart(
  { context, world }: { readonly context: ExecutionContext; readonly world: World },
  { from, to }: CallRequest,
): Promise<(address: Word) => boolean> {
  const sender = wordFromAddress(from);
  const target =
    to === undefined
      ? await loadAll(world, () => addressOfCreation(sender, world.account(sender)?.nonce ?? 0n))
      : wordFromAddress(to);
  const free = new Set([sender, target]);
  if (rulesOf(context.fork).warmCoinbase) free.add(context.block.coinbase);
  const precompiles = context.precompiles.of(context.fork);
  return (address) => free.has(address) || precompiles.has(address);
}
