import { STACK_LIMIT } from '../code/block.js';
import { OP, immediateSize } from '../code/opcode.js';
import type { OpcodeRule } from '../forks/rules.js';
import { HANDLERS } from '../opcodes/handlers.js';
import type { Word } from '../word/word.js';
import { FAILURE, invalidOpcode, stackOverflow, stackUnderflow } from './failure.js';
import type { Frame } from './frame.js';
import { charge } from './gas.js';
import type { Evm, Handler } from './evm-interface.js';
import { SIGNAL, type Signal } from './signal.js';

/**
 * Runs a frame opcode by opcode with every check at its opcode: for traces, and where the decoded program found that
 * a block will fail, to say at which opcode and why.
 */
export function runPrecise(evm: Evm, frame: Frame): Signal {
  const { bytes } = frame.code;
  for (;;) {
    const op = frame.pc < bytes.length ? (bytes[frame.pc] as number) : OP.STOP;
    if (evm.listener !== undefined && announce(evm, frame, op)) return evm.endSlice(0);
    const rule = evm.rules.opcodes[op];
    if (rule === undefined) {
      return evm.fail(frame, invalidOpcode(op, op === OP.INVALID ? 'INVALID' : undefined));
    }
    const failure = stackFailure(rule, frame.top - frame.base);
    if (failure !== undefined) return evm.fail(frame, failure);
    const before = frame.gas;
    if (!charge(evm, frame, rule.gas)) return evm.signal;
    const signal = execute(evm, frame, op);
    if (signal !== SIGNAL.again) frame.announced = false;
    if (signal === SIGNAL.next) continue;
    // It runs again from the start, and is charged again.
    if (signal === SIGNAL.again) frame.gas = before;
    return signal;
  }
}

/**
 * Shows an opcode to the listener, once however often it begins.
 * @returns whether the execution must yield first
 */
function announce(evm: Evm, frame: Frame, op: number): boolean {
  if (frame.announced || frame.code.size === 0) return false;
  frame.announced = true;
  evm.listener?.step?.(evm, frame, op);
  return evm.listener?.needsTurn?.() === true;
}

function stackFailure({ inputs, outputs }: OpcodeRule, height: number): string | undefined {
  if (height < inputs) return stackUnderflow(height, inputs);
  if (height + outputs - inputs > STACK_LIMIT) {
    return stackOverflow(height, STACK_LIMIT - outputs + inputs);
  }
  return undefined;
}

function execute(evm: Evm, frame: Frame, op: number): Signal {
  const { stack } = evm;
  switch (op) {
    case OP.JUMP:
      return jump(evm, frame, stack[--frame.top] as Word);
    case OP.JUMPI: {
      frame.top -= 2;
      if (stack[frame.top] !== 0) return jump(evm, frame, stack[frame.top + 1] as Word);
      break;
    }
    case OP.JUMPDEST:
      break;
    case OP.PC:
      stack[frame.top++] = frame.pc;
      break;
    default: {
      if (op >= OP.PUSH0 && op <= OP.PUSH32) {
        stack[frame.top++] = op === OP.PUSH0 ? 0 : frame.code.immediate(frame.pc);
        break;
      }
      const signal = (HANDLERS[op] as Handler)(evm, frame);
      if (signal === SIGNAL.again) return signal;
      frame.pc++;
      return signal;
    }
  }
  frame.pc += 1 + immediateSize(op);
  return SIGNAL.next;
}

function jump(evm: Evm, frame: Frame, target: Word): Signal {
  if (typeof target !== 'number' || !frame.code.isDestination(target)) {
    return evm.fail(frame, FAILURE.invalidJump);
  }
  frame.pc = target;
  return SIGNAL.next;
}
