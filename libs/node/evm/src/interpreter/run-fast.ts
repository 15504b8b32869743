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
      case 0x01:
        top--;
        stack[top - 1] = add(stack[top] as Word, stack[top - 1] as Word);
        at++;
        continue;
      case 0x02:
        top--;
        stack[top - 1] = multiply(stack[top] as Word, stack[top - 1] as Word);
        at++;
        continue;
      case 0x03:
        top--;
        stack[top - 1] = subtract(stack[top] as Word, stack[top - 1] as Word);
        at++;
        continue;
      case 0x04:
        top--;
        stack[top - 1] = divide(stack[top] as Word, stack[top - 1] as Word);
        at++;
        continue;
      case 0x06:
        top--;
        stack[top - 1] = modulo(stack[top] as Word, stack[top - 1] as Word);
        at++;
        continue;
      case 0x10:
        top--;
        stack[top - 1] = (stack[top] as Word) < (stack[top - 1] as Word) ? 1 : 0;
        at++;
        continue;
      case 0x11:
        top--;
        stack[top - 1] = (stack[top] as Word) > (stack[top - 1] as Word) ? 1 : 0;
        at++;
        continue;
      case 0x14:
        top--;
        stack[top - 1] = stack[top] === stack[top - 1] ? 1 : 0;
        at++;
        continue;
      case 0x15:
        stack[top - 1] = stack[top - 1] === 0 ? 1 : 0;
        at++;
        continue;
      case 0x16:
        top--;
        stack[top - 1] = and(stack[top] as Word, stack[top - 1] as Word);
        at++;
        continue;
      case 0x17:
        top--;
        stack[top - 1] = or(stack[top] as Word, stack[top - 1] as Word);
        at++;
        continue;
      case 0x1b:
        top--;
        stack[top - 1] = shiftLeft(stack[top] as Word, stack[top - 1] as Word);
        at++;
        continue;
      case 0x1c:
        top--;
        stack[top - 1] = shiftRight(stack[top] as Word, stack[top - 1] as Word);
        at++;
        continue;
      case 0x50:
        top--;
        at++;
        continue;
      case 0x80:
      case 0x81:
      case 0x82:
      case 0x83:
      case 0x84:
      case 0x85:
      case 0x86:
      case 0x87:
      case 0x88:
      case 0x89:
      case 0x8a:
      case 0x8b:
      case 0x8c:
      case 0x8d:
      case 0x8e:
      case 0x8f:
        stack[top] = stack[top - (operation - 0x7f)] as Word;
        top++;
        at++;
        continue;
      case 0x90:
      case 0x91:
      case 0x92:
      case 0x93:
      case 0x94:
      case 0x95:
      case 0x96:
      case 0x97:
      case 0x98:
      case 0x99:
      case 0x9a:
      case 0x9b:
      case 0x9c:
      case 0x9d:
      case 0x9e:
      case 0x9f: {
        const below = top - 1 - (operation - 0x8f);
        const word = stack[top - 1] as Word;
        stack[top - 1] = stack[below] as Word;
        stack[below] = word;
        at++;
        continue;
      }
      case 0x51: {
        const offset = stack[top - 1] as Word;
        if (typeof offset !== 'number' || offset + 32 > memory.size) break;
        stack[top - 1] = memory.load(offset);
        at++;
        continue;
      }
      case 0x52: {
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
