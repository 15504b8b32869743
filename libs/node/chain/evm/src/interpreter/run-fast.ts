import { DECODED, OP } from '../code/opcode.js';
import { HANDLERS } from '../opcodes/handlers.js';
import { add, divide, modulo, multiply, subtract } from '../word/arithmetic.js';
import { and, or, shiftLeft, shiftRight } from '../word/bits.js';
import type { Word } from '../word/word.js';
import type { Frame } from './frame.js';
import type { Evm, Handler } from './evm-interface.js';
import { SIGNAL, type Signal } from './signal.js';
import type { Program } from '../code/program.js';

/**
 * Runs a frame's decoded program until it ends, calls, or must stop.
 *
 * The opcodes of which most code consists are written out here, since a call for each would cost more than they do;
 * the height of the stack and the gas are local variables. All other opcodes are handlers.
 */
export function runFast(evm: Evm, frame: Frame): Signal {
  const program = frame.code.program(evm.rules);
  const { operations, operands, blocks } = program;
  const { stack } = evm;
  const { base, memory } = frame;
  let at = frame.index;
  let top = frame.top;
  let gas = frame.gas;
  for (;;) {
    const operation = operations[at] as number;
    switch (operation) {
      case DECODED.BEGIN: {
        const block = blocks[operands[at] as number] as (typeof blocks)[number];
        const left = gas - block.gas;
        const height = top - base;
        if (left < evm.floor || height < block.needs || height > block.room) {
          frame.index = at;
          frame.top = top;
          frame.gas = gas;
          if (left >= 0 && height >= block.needs && height <= block.room) return evm.endSlice(block.gas);
          return goPrecise(frame, program, false);
        }
        gas = left;
        at++;
        continue;
      }
      case DECODED.GOTO:
        at = operands[at] as number;
        continue;
      case DECODED.GOTO_IF:
        at = stack[--top] === 0 ? at + 1 : (operands[at] as number);
        continue;
      case DECODED.PUSH_JUMP:
      case DECODED.PUSH_JUMPI:
        if (operation === DECODED.PUSH_JUMPI && stack[top - 1] === 0) {
          top--;
          at++;
        } else if (!program.link(at)) {
          frame.index = at;
          frame.top = top;
          frame.gas = gas;
          return goPrecise(frame, program, true);
        }
        continue;
      case OP.JUMP: {
        const target = program.destination(stack[top - 1] as Word);
        if (target < 0) {
          frame.index = at;
          frame.top = top;
          frame.gas = gas;
          return goPrecise(frame, program, true);
        }
        top--;
        at = target;
        continue;
      }
      case OP.JUMPI: {
        if (stack[top - 2] === 0) {
          at++;
        } else {
          const target = program.destination(stack[top - 1] as Word);
          if (target < 0) {
            frame.index = at;
            frame.top = top;
            frame.gas = gas;
            return goPrecise(frame, program, true);
          }
          at = target;
        }
        top -= 2;
        continue;
      }
      case OP.PUSH1:
        stack[top++] = operands[at++] as Word;
        continue;
      case OP.ADD:
        top--;
        stack[top - 1] = add(stack[top] as Word, stack[top - 1] as Word);
        at++;
        continue;
      case OP.MUL:
        top--;
        stack[top - 1] = multiply(stack[top] as Word, stack[top - 1] as Word);
        at++;
        continue;
      case OP.SUB:
        top--;
        stack[top - 1] = subtract(stack[top] as Word, stack[top - 1] as Word);
        at++;
        continue;
      case OP.DIV:
        top--;
        stack[top - 1] = divide(stack[top] as Word, stack[top - 1] as Word);
        at++;
        continue;
      case OP.MOD:
        top--;
        stack[top - 1] = modulo(stack[top] as Word, stack[top - 1] as Word);
        at++;
        continue;
      case OP.LT:
        top--;
        stack[top - 1] = (stack[top] as Word) < (stack[top - 1] as Word) ? 1 : 0;
        at++;
        continue;
      case OP.GT:
        top--;
        stack[top - 1] = (stack[top] as Word) > (stack[top - 1] as Word) ? 1 : 0;
        at++;
        continue;
      case OP.EQ:
        top--;
        stack[top - 1] = stack[top] === stack[top - 1] ? 1 : 0;
        at++;
        continue;
      case OP.ISZERO:
        stack[top - 1] = stack[top - 1] === 0 ? 1 : 0;
        at++;
        continue;
      case OP.AND:
        top--;
        stack[top - 1] = and(stack[top] as Word, stack[top - 1] as Word);
        at++;
        continue;
      case OP.OR:
        top--;
        stack[top - 1] = or(stack[top] as Word, stack[top - 1] as Word);
        at++;
        continue;
      case OP.SHL:
        top--;
        stack[top - 1] = shiftLeft(stack[top] as Word, stack[top - 1] as Word);
        at++;
        continue;
      case OP.SHR:
        top--;
        stack[top - 1] = shiftRight(stack[top] as Word, stack[top - 1] as Word);
        at++;
        continue;
      case OP.POP:
        top--;
        at++;
        continue;
      case OP.DUP1:
      case OP.DUP2:
      case OP.DUP3:
      case OP.DUP4:
      case OP.DUP5:
      case OP.DUP6:
      case OP.DUP7:
      case OP.DUP8:
      case OP.DUP9:
      case OP.DUP10:
      case OP.DUP11:
      case OP.DUP12:
      case OP.DUP13:
      case OP.DUP14:
      case OP.DUP15:
      case OP.DUP16:
        stack[top] = stack[top - (operation - (OP.DUP1 - 1))] as Word;
        top++;
        at++;
        continue;
      case OP.SWAP1:
      case OP.SWAP2:
      case OP.SWAP3:
      case OP.SWAP4:
      case OP.SWAP5:
      case OP.SWAP6:
      case OP.SWAP7:
      case OP.SWAP8:
      case OP.SWAP9:
      case OP.SWAP10:
      case OP.SWAP11:
      case OP.SWAP12:
      case OP.SWAP13:
      case OP.SWAP14:
      case OP.SWAP15:
      case OP.SWAP16: {
        const below = top - 1 - (operation - (OP.SWAP1 - 1));
        const word = stack[top - 1] as Word;
        stack[top - 1] = stack[below] as Word;
        stack[below] = word;
        at++;
        continue;
      }
      case OP.MLOAD: {
        const offset = stack[top - 1] as Word;
        if (typeof offset !== 'number' || offset + 32 > memory.size) break;
        stack[top - 1] = memory.load(offset);
        at++;
        continue;
      }
      case OP.MSTORE: {
        const offset = stack[top - 1] as Word;
        if (typeof offset !== 'number' || offset + 32 > memory.size) break;
        memory.store(offset, stack[top - 2] as Word);
        top -= 2;
        at++;
        continue;
      }
      default:
        break;
    }
    frame.index = at;
    frame.top = top;
    frame.gas = gas;
    const signal = (HANDLERS[operation] as Handler)(evm, frame);
    if (signal !== SIGNAL.next) {
      if (signal === SIGNAL.again) return signal;
      if (signal === SIGNAL.precise) return goPrecise(frame, program, true);
      frame.index = at + 1;
      return signal;
    }
    top = frame.top;
    gas = frame.gas;
    at++;
  }
}

/**
 * Leaves the frame to the precise loop, for good: it fails within the block, or nearly.
 *
 * `charged` says whether the gas of the block was taken; what the opcodes from here on cost is given back then.
 */
function goPrecise(frame: Frame, program: Program, charged: boolean): Signal {
  frame.pc = program.positions[frame.index] as number;
  if (charged) frame.gas += program.gasFrom(frame.pc);
  frame.precise = true;
  return SIGNAL.precise;
}
