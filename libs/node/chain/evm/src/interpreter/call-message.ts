import type { AccountWorld } from '../world/account.js';
import type { Checkpoint } from '../world/journal.js';
import {
  WRITES,
  type CallMessage,
  type Frame,
  type FrameKind,
  type FrameStart,
  type Writes,
} from './frame.js';
import type { Transfer } from './hooks.js';
import type { Evm } from './evm-interface.js';
import { runPrecompile } from './run-precompile.js';
import { SIGNAL, type Signal } from './signal.js';
import { NOTHING } from './memory.js';

/** Begins a call: moves its value, and runs a precompile or enters a frame. */
export function enterCall(evm: Evm, message: CallMessage): Signal {
  const { parent, account, payer, value } = message;
  const checkpoint = evm.journal.checkpoint();
  const precompile = evm.precompileAt(message.target.key);
  if (payer !== undefined) moveValue(evm, { from: payer, to: account, value });
  if (precompile !== undefined) return runPrecompile(evm, message, precompile, checkpoint);
  const isIdle = message.code.size === 0 && message.rejection === null;
  if (isIdle && parent !== undefined && evm.listener === undefined && evm.hooks === undefined) {
    return answerIdle(evm, parent, message);
  }
  const signal = evm.enter(startOf(evm, message, checkpoint));
  if (message.rejection === null) return signal;
  return evm.fail(evm.frame as Frame, message.rejection);
}

/** A call of an account without code returns all gas; the common case of a value transfer. */
function answerIdle(evm: Evm, parent: Frame, message: CallMessage): Signal {
  evm.giveBack(parent, message.gas);
  evm.answer(parent, { output: NOTHING, success: true, at: 0, size: 0 });
  return SIGNAL.next;
}

/** Moves wei; touches what the rules touch. */
export function moveValue({ rules, hooks }: Evm, transfer: Transfer): void {
  const { from, to, value } = transfer;
  if (value === 0) {
    // EIP-161: a call without value does not create an account.
    if (to.exists || !rules.noEmptyAccounts) to.touch();
    return;
  }
  from.debit(value);
  to.credit(value);
  hooks?.moved?.(transfer);
}

function startOf(evm: Evm, message: CallMessage, checkpoint: Checkpoint): FrameStart {
  const { kind, parent } = message;
  const world = worldOf(message);
  // Written out: spreading objects costs more than everything else here.
  return {
    kind,
    depth: parent === undefined ? 0 : parent.depth + 1,
    account: message.account,
    codeAddress: message.target.key,
    code: message.code,
    world,
    caller: message.caller,
    value: message.value,
    input: message.input,
    gas: message.gas,
    writes: writesIn(evm, kind, world, parent),
    checkpoint,
    outputAt: message.outputAt,
    outputSize: message.outputSize,
  };
}

/** The world of the callee. STATICCALL reads another world without entering it. */
function worldOf({ kind, target, parent }: CallMessage): AccountWorld {
  return kind === 'STATICCALL' && parent !== undefined ? parent.world : target.world;
}

/** Write permission of the callee: never more than its caller's, and none in a read-only world. */
export function writesIn(
  { hooks }: Evm,
  kind: FrameKind,
  world: AccountWorld,
  parent: Frame | undefined,
): Writes {
  const inherited = parent?.writes ?? WRITES.allowed;
  if (inherited !== WRITES.allowed) return inherited;
  if (kind === 'STATICCALL') return WRITES.static;
  return hooks?.isWritable?.(world) === false ? WRITES.readOnlyWorld : WRITES.allowed;
}
