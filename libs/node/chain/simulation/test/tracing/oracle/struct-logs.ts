import { setLengthLeft } from '@ethereumjs/util';
import type { InterpreterStep } from '@ethereumjs/evm';
import { hexFromBytes } from '@tetrad/types';
import type { Scenario } from '../../../../evm/test/fuzz/random-world.js';
import type { StructLog } from '../../../src/index.js';
import { runListened } from './run-listened.js';

/** Gas that a call with value finds on top of what it was given (Yellow Paper, appendix G). */
const CALL_STIPEND = 2_300;

type Described = { -readonly [Key in keyof StructLog]: StructLog[Key] };

/** Cost of a call that did not start: EthereumJS does not report the gas that it would have got. */
export const UNKNOWN_COST = -1;

/** The struct logs of a scenario as EthereumJS' events give them. */
export async function oracleStructLogs(scenario: Scenario): Promise<Described[]> {
  const logs: Described[] = [];
  const open: (Described | undefined)[] = [];
  const storage = new Map<string, Record<string, string>>();
  const sent = new Set<Described>();
  await runListened(scenario, {
    async step(step, state) {
      const log = describe(step);
      const { opcode, stack, address } = step;
      const slots = storage.get(address.toString()) ?? {};
      storage.set(address.toString(), slots);
      const [value, slot] = stack.length === 1 ? [undefined, stack[0]] : stack.slice(-2);
      if (slot !== undefined && opcode.name === 'SLOAD') {
        const stored = await state.getStorage(address, Buffer.from(digits(slot), 'hex'));
        slots[digits(slot)] = hexFromBytes(setLengthLeft(stored, 32)).slice(2);
        log.storage = { ...slots };
      } else if (slot !== undefined && value !== undefined && opcode.name === 'SSTORE') {
        slots[digits(slot)] = digits(value);
        log.storage = { ...slots };
      }
      const before = open[step.depth];
      if (before !== undefined && CALLS.has(before.op) && !sent.has(before)) before.gasCost = UNKNOWN_COST;
      open[step.depth] = log;
      logs.push(log);
    },
    enter({ depth, gasLimit, value, delegatecall }) {
      const caller = depth === 0 ? undefined : open[depth - 1];
      open.length = depth;
      open.push(undefined);
      if (caller === undefined || caller.op.startsWith('CREATE')) return;
      sent.add(caller);
      caller.gasCost += Number(gasLimit) - (value > 0n && !delegatecall ? CALL_STIPEND : 0);
    },
    leave({ execResult }) {
      const last = open.pop();
      if (last !== undefined && execResult.exceptionError !== undefined && last.op !== 'REVERT')
        last.error = 'failed';
    },
  });
  return logs;
}

const CALLS = new Set(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL']);

function describe({ pc, opcode, gasLeft, depth, gasRefund, stack, memory }: InterpreterStep): Described {
  const words = Buffer.from(memory).toString('hex').match(/.{64}/g) ?? [];
  return {
    pc,
    op: opcode.name,
    gas: Number(gasLeft),
    depth: depth + 1,
    gasCost: Number(opcode.dynamicFee ?? opcode.fee),
    ...(gasRefund === 0n ? {} : { refund: Number(gasRefund) }),
    stack: stack.map((word) => `0x${word.toString(16)}`),
    memory: words,
  };
}

function digits(word: bigint): string {
  return word.toString(16).padStart(64, '0');
}
