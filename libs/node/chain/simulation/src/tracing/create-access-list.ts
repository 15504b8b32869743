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

/** Maximum number of runs. A list changes the gas of its call, which may then touch more; each run adds entries, or is the last. */
const MAX_RUNS = 16;

export interface AccessListOutcome {
  readonly accessList: readonly AccessListEntry[];
  /** Outcome of the call with the list. */
  readonly outcome: CallOutcome;
}

/**
 * The access list (EIP-2930) of a call: accounts and slots that it touches when it runs with that list, except those that
 * are warm anyway.
 *
 * As in geth's eth_createAccessList, entries of failing frames are included. The world is not changed.
 *
 * @throws ExecutionAbortedError; whatever the source fails with
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
    if (recorder.size === size || run === MAX_RUNS) return { accessList: list, outcome };
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
