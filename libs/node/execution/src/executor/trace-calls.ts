import type { EVMResult, InterpreterStep, Message } from '@ethereumjs/evm';
import { runTx } from '@ethereumjs/vm';
import { addressFromBytes, parseHash, type Address, type Hash, type SignedTransaction } from '@tetrad/types';
import { executable } from './executable-transaction.js';
import type { Simulation } from './simulate.js';

/** One call and the calls it made, as geth's `callTracer` gives it. */
export interface CallFrame {
  type: string;
  from: Address;
  to?: Address | undefined;
  /** Wei. */
  value?: bigint | undefined;
  gas: bigint;
  gasUsed: bigint;
  input: Uint8Array;
  output?: Uint8Array | undefined;
  error?: string | undefined;
  revertReason?: string | undefined;
  logs?: { address: Address; topics: Hash[]; data: Uint8Array }[] | undefined;
  calls?: CallFrame[] | undefined;
}

export interface CallTraceOptions {
  readonly onlyTopCall: boolean;
  readonly withLog: boolean;
  /** Reads the text of a revert. */
  readonly revertReason: (returnData: Uint8Array) => string | undefined;
}

/** Executes the transaction in the world and records every call. The world is changed; hand in a copy. */
export async function traceCalls(
  simulation: Simulation,
  transaction: SignedTransaction,
  options: CallTraceOptions,
): Promise<CallFrame> {
  const { executor, block, world, signal } = simulation;
  const rules = executor.rules(block);
  const machine = await executor.machine(block, world, signal);
  const recorder = new CallRecorder(options);
  const { events } = machine.evm;
  events?.on('beforeMessage', (message: Message, resume?: () => void) => {
    recorder.enter(message);
    resume?.();
  });
  events?.on('afterMessage', (result: EVMResult, resume?: () => void) => {
    recorder.leave(result);
    resume?.();
  });
  if (options.withLog) {
    events?.on('step', (step: InterpreterStep, resume?: () => void) => {
      recorder.log(step);
      resume?.();
    });
  }
  const result = await runTx(machine.vm, {
    tx: executable(transaction, executor.common(rules.fork), rules),
    block: machine.enter(block),
    skipHardForkValidation: true,
  });
  const top = recorder.top;
  if (top === undefined) throw new Error('the EVM reported no call');
  return { ...top, gas: transaction.gasLimit, gasUsed: result.totalGasSpent };
}

class CallRecorder {
  top: CallFrame | undefined;
  private readonly open: CallFrame[] = [];

  constructor(private readonly options: CallTraceOptions) {}

  enter(message: Message): void {
    const frame: CallFrame = {
      type: typeOf(message),
      from: addressFromBytes(message.caller.bytes),
      ...(message.to === undefined ? {} : { to: addressFromBytes((message.codeAddress ?? message.to).bytes) }),
      ...(message.isStatic ? {} : { value: message.value }),
      gas: message.gasLimit,
      gasUsed: 0n,
      input: message.data,
    };
    const parent = this.open.at(-1);
    if (parent === undefined) this.top = frame;
    else if (!this.options.onlyTopCall) (parent.calls ??= []).push(frame);
    this.open.push(frame);
  }

  leave({ execResult, createdAddress }: EVMResult): void {
    const frame = this.open.pop();
    if (frame === undefined) return;
    frame.gasUsed = execResult.executionGasUsed;
    if (createdAddress !== undefined) frame.to = addressFromBytes(createdAddress.bytes);
    if (execResult.returnValue.length > 0) frame.output = execResult.returnValue;
    if (execResult.exceptionError !== undefined) this.fail(frame, execResult.exceptionError.error, execResult.returnValue);
  }

  private fail(frame: CallFrame, error: string, returnData: Uint8Array): void {
    delete frame.logs;
    frame.error = error === 'revert' ? 'execution reverted' : error;
    const reason = this.options.revertReason(returnData);
    if (reason !== undefined) frame.revertReason = reason;
  }

  /** A log belongs to the frame that is open; the EVM's result would list it for every caller too. */
  log({ opcode, stack, memory, address }: InterpreterStep): void {
    const topics = Number(opcode.name.slice('LOG'.length));
    if (!opcode.name.startsWith('LOG') || Number.isNaN(topics)) return;
    const [offset, size, ...rest] = stack.slice(-2 - topics).reverse();
    const data = new Uint8Array(Number(size));
    data.set(memory.subarray(Number(offset), Number(offset) + Number(size)));
    this.currentLogs().push({
      address: addressFromBytes(address.bytes),
      topics: rest.map((topic) => parseHash(`0x${topic.toString(16).padStart(64, '0')}`)),
      data,
    });
  }

  private currentLogs(): NonNullable<CallFrame['logs']> {
    const frame = this.open.at(-1);
    return frame === undefined ? [] : (frame.logs ??= []);
  }
}

function typeOf(message: Message): string {
  if (message.to === undefined) return message.salt === undefined ? 'CREATE' : 'CREATE2';
  if (message.delegatecall) return 'DELEGATECALL';
  return message.isStatic ? 'STATICCALL' : 'CALL';
}
