import { FAILURE } from '../interpreter/failure.js';
import { WRITES, type Frame, type FrameKind } from '../interpreter/frame.js';
import { GAS, charge, memoryGasOfTwo } from '../interpreter/gas.js';
import type { Evm, Handler } from '../interpreter/evm-interface.js';
import { NOTHING } from '../interpreter/memory.js';
import { enterCall } from '../interpreter/call-message.js';
import { answerUnstarted } from '../interpreter/answer-unstarted.js';
import type { Signal } from '../interpreter/signal.js';
import type { Account } from '../world/account.js';
import { addressWord, toCount, type Word } from '../word/word.js';
import { accessGas, markWarm } from './accounts.js';
import { delegateOf, type Callee } from './delegation.js';
import { refuseWrite } from './storage.js';

/** Maximum call depth. */
export const DEPTH_LIMIT = 1_024;

/** The operands of a call. */
interface Call {
  readonly kind: FrameKind;
  readonly gas: Word;
  readonly value: Word;
  readonly inputAt: Word;
  readonly inputSize: Word;
  readonly outputAt: Word;
  readonly outputSize: Word;
  /** Number of stack words that they take. */
  readonly operands: number;
}

function operandsOf({ stack }: Evm, { top }: Frame, kind: FrameKind): Call {
  const hasValue = kind === 'CALL' || kind === 'CALLCODE';
  const rest = hasValue ? top - 4 : top - 3;
  return {
    kind,
    gas: stack[top - 1] as Word,
    value: hasValue ? (stack[top - 3] as Word) : 0,
    inputAt: stack[rest] as Word,
    inputSize: stack[rest - 1] as Word,
    outputAt: stack[rest - 2] as Word,
    outputSize: stack[rest - 3] as Word,
    operands: hasValue ? 7 : 6,
  };
}

const callOf =
  (kind: FrameKind): Handler =>
  (evm, frame) => {
    const target = evm.accountOf(frame, addressWord(evm.stack[frame.top - 2] as Word));
    const callee = target === undefined ? undefined : calleeOf(evm, frame, target);
    if (callee === undefined) return evm.stopForMissing();
    const rejection = rejectionOf(evm, frame, { kind, target: callee.target });
    if (rejection === undefined) return evm.stopForMissing();
    const call = operandsOf(evm, frame, kind);
    const price = priceOf(evm, frame, call, callee);
    const available = frame.gas - price;
    const wanted = toCount(call.gas);
    const kept = evm.rules.gasReserve ? Math.floor(available / 64) : 0;
    const cannotLend = !evm.rules.gasReserve && wanted > available;
    if (!charge(evm, frame, cannotLend ? Infinity : price)) return evm.signal;
    if (kind === 'CALL' && call.value !== 0 && frame.writes !== WRITES.allowed)
      return refuseTransfer(evm, frame);
    return send(evm, frame, { call, callee, rejection, gas: Math.min(wanted, available - kept) });
  };

function calleeOf(evm: Evm, frame: Frame, target: Account): Callee | undefined {
  const code = target.world.code(target);
  if (code === undefined) return undefined;
  if (!evm.rules.delegatedCode) return { target, code, delegate: undefined };
  return delegateOf(evm, frame, { target, code });
}

function rejectionOf(
  { hooks }: Evm,
  { account, depth }: Frame,
  { kind, target }: { kind: FrameKind; target: Account },
): string | null | undefined {
  if (hooks?.rejection === undefined) return null;
  return hooks.rejection({ kind, caller: account.key, target: target.key, depth: depth + 1 });
}

function priceOf(evm: Evm, frame: Frame, call: Call, callee: Callee): number {
  const { rules } = evm;
  const input = { offset: call.inputAt, size: call.inputSize };
  const output = { offset: call.outputAt, size: call.outputSize };
  let price = rules.gas.call + accessGas(evm, callee.target) + memoryGasOfTwo(frame, input, output);
  price += delegateGas(evm, callee);
  if (call.value !== 0) price += GAS.callValue;
  if (call.kind === 'CALL' && isNew(evm, callee.target, call.value)) price += GAS.newAccount;
  return price;
}

/** Gas to resolve a delegation. A target that delegates to itself is already warm, since the call accesses it first. */
function delegateGas(evm: Evm, { target, delegate }: Callee): number {
  if (delegate === undefined) return 0;
  return delegate === target ? evm.rules.gas.warm : accessGas(evm, delegate);
}

/** Whether the call creates the target account. */
function isNew({ rules }: Evm, target: Account, value: Word): boolean {
  return rules.noEmptyAccounts ? value !== 0 && target.isDead : !target.exists;
}

/** Executes a call that is paid for: sends the message, or answers it when it cannot start. */
function send(
  evm: Evm,
  frame: Frame,
  { call, callee, rejection, gas }: { call: Call; callee: Callee; rejection: string | null; gas: number },
): Signal {
  markWarm(evm, callee.target);
  if (callee.delegate !== undefined) markWarm(evm, callee.delegate);
  frame.top -= call.operands;
  frame.memory.area(call.outputAt, call.outputSize);
  const input = frame.memory.area(call.inputAt, call.inputSize).slice();
  frame.returnData = NOTHING;
  const stipend = call.value === 0 ? 0 : GAS.callStipend;
  const { kind, outputAt, outputSize } = call;
  evm.lend(frame, gas);
  const failure = failureToStart(frame, call);
  if (failure !== undefined) {
    const message = { kind, target: callee.target.key, value: call.value, input, gas: gas + stipend };
    return answerUnstarted(evm, frame, { message, lent: gas, failure });
  }
  const isOwn = kind === 'CALL' || kind === 'STATICCALL';
  const isDelegate = kind === 'DELEGATECALL';
  return enterCall(evm, {
    kind,
    account: isOwn ? callee.target : frame.account,
    target: callee.target,
    code: callee.code,
    caller: isDelegate ? frame.caller : frame.account.key,
    value: isDelegate ? frame.value : call.value,
    payer: isOwn ? frame.account : undefined,
    input,
    gas: gas + stipend,
    parent: frame,
    outputAt: outputSize === 0 ? 0 : (outputAt as number),
    outputSize: outputSize as number,
    rejection,
  });
}

/** Why the call cannot start, which costs its stipend at most; or undefined. */
function failureToStart({ depth, account }: Frame, { value }: Call): string | undefined {
  if (depth >= DEPTH_LIMIT) return FAILURE.depth;
  return value !== 0 && account.balance < value ? FAILURE.insufficientBalance : undefined;
}

function refuseTransfer(evm: Evm, frame: Frame): Signal {
  if (frame.writes === WRITES.static) return refuseWrite(evm, frame);
  return evm.fail(frame, FAILURE.readOnlyTransfer);
}

export const CALL_HANDLERS: Readonly<Record<number, Handler>> = {
  0xf1: callOf('CALL'),
  0xf2: callOf('CALLCODE'),
  0xf4: callOf('DELEGATECALL'),
  0xfa: callOf('STATICCALL'),
};
