import type { Code } from '../code/code.js';
import type { Account } from '../world/account.js';
import type { Checkpoint } from '../world/journal.js';
import type { World } from '../world/world.js';
import type { Word } from '../word/word.js';
import { WRITES, type Frame, type FrameKind, type FrameStart, type Writes } from './frame.js';
import type { Transfer } from './hooks.js';
import type { Machine } from './machine.js';
import { runPrecompile } from './run-precompile.js';
import { SIGNAL, type Signal } from './signal.js';
import { NOTHING } from './memory.js';

/** A call that is paid for and about to begin; everything that it needs is in memory. */
export interface CallMessage {
  readonly kind: FrameKind;
  /** The account in whose name the callee runs: its own, or the caller's in a delegate call. */
  readonly account: Account;
  /** The account whose code it is. */
  readonly target: Account;
  readonly code: Code;
  readonly caller: Word;
  /** CALLVALUE. */
  readonly value: Word;
  /** Who pays the value; undefined when none moves. */
  readonly payer: Account | undefined;
  readonly input: Uint8Array;
  readonly gas: number;
  readonly parent: Frame | undefined;
  readonly outputAt: number;
  readonly outputSize: number;
  /** Why a hook refuses it, or null. */
  readonly refusal: string | null;
}

/** Begins a call: moves its value, and runs a precompile or enters a frame. */
export function enterCall(machine: Machine, message: CallMessage): Signal {
  const { parent, account, payer, value } = message;
  const checkpoint = machine.journal.checkpoint();
  const precompile = machine.precompileAt(message.target.key);
  if (payer !== undefined) moveValue(machine, { from: payer, to: account, value });
  if (precompile !== undefined) return runPrecompile(machine, message, precompile, checkpoint);
  const isIdle = message.code.size === 0 && message.refusal === null;
  if (isIdle && parent !== undefined && machine.listener === undefined && machine.hooks === undefined) {
    return answerIdle(machine, parent, message);
  }
  const signal = machine.enter(startOf(machine, message, checkpoint));
  if (message.refusal === null) return signal;
  return machine.fail(machine.frame as Frame, message.refusal);
}

/** An account without code does nothing and gives all gas back; most value goes to such. */
function answerIdle(machine: Machine, parent: Frame, message: CallMessage): Signal {
  machine.giveBack(parent, message.gas);
  machine.answer(parent, { output: NOTHING, success: true, at: 0, size: 0 });
  return SIGNAL.next;
}

/** Moves wei; touches what the rules touch. */
export function moveValue({ rules, hooks }: Machine, transfer: Transfer): void {
  const { from, to, value } = transfer;
  if (value === 0) {
    // EIP-161: a call without value does not bring an account into being.
    if (to.exists || !rules.noEmptyAccounts) to.touch();
    return;
  }
  from.debit(value);
  to.credit(value);
  hooks?.moved?.(transfer);
}

function startOf(machine: Machine, message: CallMessage, checkpoint: Checkpoint): FrameStart {
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
    writes: writesIn(machine, kind, world, parent),
    checkpoint,
    outputAt: message.outputAt,
    outputSize: message.outputSize,
  };
}

/** STATICCALL reads another world and does not go there. */
function worldOf({ kind, target, parent }: CallMessage): World {
  return kind === 'STATICCALL' && parent !== undefined ? parent.world : target.world;
}

/** What the callee may change: never more than its caller, and nothing in a world that is only read. */
export function writesIn(
  { hooks }: Machine,
  kind: FrameKind,
  world: World,
  parent: Frame | undefined,
): Writes {
  const inherited = parent?.writes ?? WRITES.allowed;
  if (inherited !== WRITES.allowed) return inherited;
  if (kind === 'STATICCALL') return WRITES.static;
  return hooks?.isWritable?.(world) === false ? WRITES.readOnlyWorld : WRITES.allowed;
}
