import type { InterpreterStep } from '@ethereumjs/evm';
import { runTx } from '@ethereumjs/vm';
import { hexFromBytes, type SignedTransaction } from '@tetrad/types';
import { executable } from './executable-transaction.js';
import type { Simulation } from './simulate.js';

/** Parts of the trace that may be left out or asked for, as geth's debug_traceTransaction names them. */
export interface TraceOptions {
  readonly disableStack?: boolean | undefined;
  readonly disableStorage?: boolean | undefined;
  readonly enableMemory?: boolean | undefined;
  /** Steps after which the trace is cut; 0 for no limit. */
  readonly limit?: number | undefined;
}

/** One executed opcode. */
export interface StructLog {
  readonly pc: number;
  readonly op: string;
  readonly gas: number;
  readonly gasCost: number;
  readonly depth: number;
  readonly stack?: readonly string[];
  readonly memory?: readonly string[];
  /** Slots this frame has read or written so far, without 0x. */
  readonly storage?: Readonly<Record<string, string>>;
}

export interface Trace {
  readonly gas: bigint;
  readonly failed: boolean;
  readonly returnValue: Uint8Array;
  readonly structLogs: readonly StructLog[];
}

/** Executes the transaction in the world and records every step. The world is changed; hand in a copy. */
export async function traceTransaction(
  simulation: Simulation,
  transaction: SignedTransaction,
  options: TraceOptions = {},
): Promise<Trace> {
  const { executor, block, world, signal } = simulation;
  const rules = executor.rules(block);
  const machine = await executor.machine(block, world, signal);
  const recorder = new StepRecorder(options);
  machine.evm.events?.on('step', (step: InterpreterStep, resume?: (result?: unknown) => void) => {
    recorder.record(step);
    resume?.();
  });
  const result = await runTx(machine.vm, {
    tx: executable(transaction, machine.common, rules),
    block: machine.enter(block),
    skipHardForkValidation: true,
  });
  return {
    gas: result.totalGasSpent,
    failed: result.execResult.exceptionError !== undefined,
    returnValue: result.execResult.returnValue,
    structLogs: recorder.logs,
  };
}

class StepRecorder {
  readonly logs: StructLog[] = [];
  /** Per depth, the slots of the contract that runs there. */
  private readonly storage = new Map<number, { address: string; slots: Record<string, string> }>();

  constructor(private readonly options: TraceOptions) {}

  record(step: InterpreterStep): void {
    const limit = this.options.limit ?? 0;
    if (limit > 0 && this.logs.length >= limit) return;
    const { disableStack, disableStorage, enableMemory } = this.options;
    this.logs.push({
      pc: step.pc,
      op: step.opcode.name,
      gas: Number(step.gasLeft),
      gasCost: Number(step.opcode.dynamicFee ?? step.opcode.fee),
      depth: step.depth + 1,
      ...(disableStack === true ? {} : { stack: step.stack.map((word) => `0x${word.toString(16)}`) }),
      ...(enableMemory === true ? { memory: memoryWords(step.memory) } : {}),
      ...(disableStorage === true ? {} : this.storageOf(step)),
    });
  }

  private storageOf(step: InterpreterStep): Pick<StructLog, 'storage'> {
    const name = step.opcode.name;
    if (name !== 'SLOAD' && name !== 'SSTORE') return {};
    const address = step.address.toString();
    let frame = this.storage.get(step.depth);
    if (frame?.address !== address) {
      frame = { address, slots: {} };
      this.storage.set(step.depth, frame);
    }
    const [value, slot] = step.stack.slice(-2);
    if (name === 'SSTORE' && slot !== undefined && value !== undefined) frame.slots[hexWord(value)] = hexWord(slot);
    return { storage: { ...frame.slots } };
  }
}

function hexWord(word: bigint): string {
  return word.toString(16).padStart(64, '0');
}

function memoryWords(memory: Uint8Array): string[] {
  const words: string[] = [];
  for (let from = 0; from < memory.length; from += 32) {
    words.push(hexFromBytes(memory.subarray(from, from + 32)).slice(2).padEnd(64, '0'));
  }
  return words;
}
