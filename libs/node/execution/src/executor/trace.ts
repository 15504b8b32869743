import type { EVMResult, InterpreterStep, Message } from '@ethereumjs/evm';
import { hexFromBytes, type SignedTransaction } from '@tetrad/types';
import { runInMachine } from './executor.js';
import { failureText } from './failure-text.js';
import { onEveryStep } from './step-listener.js';
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
  /** With the gas that a call hands on. */
  gasCost: number;
  readonly depth: number;
  readonly refund?: number;
  readonly stack?: readonly string[];
  readonly memory?: readonly string[];
  /** Slots that the contract has read or written so far, without 0x; only on the steps that do. */
  readonly storage?: Readonly<Record<string, string>>;
  /** Why the step was the last one of its call. */
  error?: string;
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
  const recorder = new StepRecorder(options, world);
  const { events } = machine.evm;
  const assertRecorded = onEveryStep(machine, (step) => recorder.record(step));
  events?.on('beforeMessage', (message: Message) => recorder.enter(message));
  events?.on('afterMessage', (result: EVMResult) => recorder.leave(result));
  const effects = await runInMachine(machine, transaction, { block, rules });
  assertRecorded();
  return {
    gas: effects.gasUsed,
    failed: effects.status === 0,
    returnValue: effects.returnData,
    structLogs: recorder.logs,
  };
}

/** Gas that a call with value finds on top of what it was given (Yellow Paper, appendix G). */
const CALL_STIPEND = 2_300;

class StepRecorder {
  readonly logs: StructLog[] = [];
  /** Contract → slots it has touched. */
  private readonly storage = new Map<string, Record<string, string>>();
  /** The last step of each open call, outermost first; undefined when it was cut. */
  private readonly open: (StructLog | undefined)[] = [];

  constructor(
    private readonly options: TraceOptions,
    private readonly world: Simulation['world'],
  ) {}

  async record(step: InterpreterStep): Promise<void> {
    const storage = this.options.disableStorage === true ? {} : await this.storageOf(step);
    const limit = this.options.limit ?? 0;
    const cut = limit > 0 && this.logs.length >= limit;
    const log = cut ? undefined : { ...this.plainLog(step), ...storage };
    this.open[step.depth] = log;
    if (log !== undefined) this.logs.push(log);
  }

  /** What a call hands on is part of what its opcode costs. */
  enter({ depth, gasLimit, value, delegatecall }: Message): void {
    const caller = depth === 0 ? undefined : this.open[depth - 1];
    this.open.length = depth;
    this.open.push(undefined);
    if (caller === undefined || caller.op.startsWith('CREATE')) return;
    caller.gasCost += Number(gasLimit) - (value > 0n && !delegatecall ? CALL_STIPEND : 0);
  }

  leave({ execResult }: EVMResult): void {
    const last = this.open.pop();
    const failure = execResult.exceptionError;
    if (last !== undefined && failure !== undefined && last.op !== 'REVERT')
      last.error = failureText(failure);
  }

  private plainLog(step: InterpreterStep): StructLog {
    const { disableStack, enableMemory } = this.options;
    return {
      pc: step.pc,
      op: step.opcode.name,
      gas: Number(step.gasLeft),
      gasCost: Number(step.opcode.dynamicFee ?? step.opcode.fee),
      depth: step.depth + 1,
      ...(step.gasRefund === 0n ? {} : { refund: Number(step.gasRefund) }),
      ...(disableStack === true ? {} : { stack: step.stack.map((word) => `0x${word.toString(16)}`) }),
      ...(enableMemory === true ? { memory: memoryWords(step.memory) } : {}),
    };
  }

  private async storageOf({ opcode, address, stack }: InterpreterStep): Promise<Pick<StructLog, 'storage'>> {
    const [value, slot] = stack.slice(-2).length === 1 ? [undefined, stack[0]] : stack.slice(-2);
    if (slot === undefined || (opcode.name !== 'SLOAD' && opcode.name !== 'SSTORE')) return {};
    const slots = this.storage.get(address.toString()) ?? {};
    this.storage.set(address.toString(), slots);
    if (opcode.name === 'SLOAD') {
      const stored = await this.world.getStorage(address, Buffer.from(hexWord(slot), 'hex'));
      slots[hexWord(slot)] = Buffer.from(stored).toString('hex').padStart(64, '0');
    } else if (value !== undefined) {
      slots[hexWord(slot)] = hexWord(value);
    }
    return { storage: { ...slots } };
  }
}

function hexWord(word: bigint): string {
  return word.toString(16).padStart(64, '0');
}

function memoryWords(memory: Uint8Array): string[] {
  const words: string[] = [];
  for (let from = 0; from < memory.length; from += 32) {
    words.push(
      hexFromBytes(memory.subarray(from, from + 32))
        .slice(2)
        .padEnd(64, '0'),
    );
  }
  return words;
}
