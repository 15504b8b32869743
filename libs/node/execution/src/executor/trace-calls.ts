import type { EVMResult, InterpreterStep, Message } from '@ethereumjs/evm';
import {
  addressFromBytes,
  hexFromBytes,
  parseAddress,
  parseHash,
  type Address,
  type Hash,
} from '@tetrad/types';
import type { SignedTransaction } from '@tetrad/types';
import { runInMachine } from './executor.js';
import { failureText } from './failure-text.js';
import { onEveryStep } from './step-listener.js';
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
  /** `position` counts the inner calls before the log. */
  logs?: { address: Address; topics: Hash[]; data: Uint8Array; position: number }[] | undefined;
  calls?: CallFrame[] | undefined;
}

export interface CallTraceOptions {
  readonly onlyTopCall: boolean;
  readonly withLog: boolean;
  /** Reads the text of a revert. */
  readonly revertReason: (returnData: Uint8Array) => string | undefined;
}

/**
 * Executes the transaction in the world and records every call. The world is changed; hand in a copy.
 *
 * Calls that never start, for want of balance or of depth, are not in the result: the EVM does not report them.
 */
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
  events?.on('beforeMessage', (message: Message) => recorder.enter(message));
  events?.on('afterMessage', (result: EVMResult) => recorder.leave(result));
  const assertRecorded = onEveryStep(machine, (step) => recorder.step(step, world));
  const { gasUsed } = await runInMachine(machine, transaction, { block, rules });
  assertRecorded();
  const top = recorder.top;
  if (top === undefined) throw new Error('the EVM reported no call');
  // What the whole transaction was given and took, the message itself included.
  return { ...top, gas: transaction.gasLimit, gasUsed };
}

interface OpenFrame {
  readonly frame: CallFrame;
  /** The account in whose name the code runs, which a delegate call shares with its caller. */
  address: Address | undefined;
  /** The opcode that runs there. */
  opcode: string;
}

type Reader = Simulation['world'];

class CallRecorder {
  top: CallFrame | undefined;
  private readonly open: OpenFrame[] = [];

  constructor(private readonly options: CallTraceOptions) {}

  enter(message: Message): void {
    const parent = this.open.at(-1);
    const type = parent === undefined ? (message.to === undefined ? 'CREATE' : 'CALL') : parent.opcode;
    const target = message.to === undefined ? undefined : message.codeAddress;
    const frame: CallFrame = {
      type,
      from: parent?.address ?? addressFromBytes(message.caller.bytes),
      ...(target === undefined ? {} : { to: addressFromBytes(target.bytes) }),
      ...(type === 'STATICCALL' ? {} : { value: message.value }),
      gas: message.gasLimit,
      gasUsed: 0n,
      // A view of the caller's memory, which goes on changing.
      input: Uint8Array.from(message.data),
    };
    if (parent === undefined) this.top = frame;
    else this.addTo(parent.frame, frame);
    const address = message.to === undefined ? undefined : addressFromBytes(message.to.bytes);
    this.open.push({ frame, address, opcode: '' });
  }

  leave({ execResult, createdAddress }: EVMResult): void {
    const frame = this.open.pop()?.frame;
    if (frame === undefined) return;
    frame.gasUsed = execResult.executionGasUsed;
    if (createdAddress !== undefined) frame.to = addressFromBytes(createdAddress.bytes);
    const { exceptionError: failure, returnValue } = execResult;
    const reverted = failure?.error === 'revert';
    if (returnValue.length > 0 && (failure === undefined || reverted)) frame.output = returnValue;
    if (failure !== undefined) this.fail(frame, failureText(failure), returnValue);
  }

  async step(step: InterpreterStep, world: Reader): Promise<void> {
    const current = this.open.at(-1);
    if (current === undefined) return;
    const { name } = step.opcode;
    current.opcode = name;
    current.address ??= addressFromBytes(step.address.bytes);
    if (name === 'SELFDESTRUCT') await this.selfDestruct(current.frame, step, world);
    else if (this.options.withLog && LOG.test(name)) this.log(current.frame, step);
  }

  private addTo(parent: CallFrame, frame: CallFrame): void {
    if (!this.options.onlyTopCall) (parent.calls ??= []).push(frame);
  }

  private fail(frame: CallFrame, error: string, returnData: Uint8Array): void {
    dropLogs(frame);
    frame.error = error;
    if (frame.type.startsWith('CREATE')) delete frame.to;
    const reason = frame.output === undefined ? undefined : this.options.revertReason(returnData);
    if (reason !== undefined) frame.revertReason = reason;
  }

  /** The balance that a contract sends away with its end is shown as a call of its own. */
  private async selfDestruct(
    frame: CallFrame,
    { stack, address }: InterpreterStep,
    world: Reader,
  ): Promise<void> {
    const beneficiary = stack.at(-1);
    if (beneficiary === undefined) return;
    const account = await world.getAccount(address);
    this.addTo(frame, {
      type: 'SELFDESTRUCT',
      from: addressFromBytes(address.bytes),
      to: parseAddress(`0x${word(beneficiary).slice(-40)}`),
      value: account?.balance ?? 0n,
      gas: 0n,
      gasUsed: 0n,
      input: new Uint8Array(0),
    });
  }

  /** A log belongs to the frame that is open; the EVM's result would list it for every caller too. */
  private log(frame: CallFrame, { opcode, stack, memory, address }: InterpreterStep): void {
    const topics = Number(opcode.name.slice('LOG'.length));
    const [offset, size, ...rest] = stack.slice(-2 - topics).reverse();
    const data = new Uint8Array(Number(size));
    data.set(memory.subarray(Number(offset), Number(offset) + Number(size)));
    (frame.logs ??= []).push({
      address: parseAddress(hexFromBytes(address.bytes)),
      topics: rest.map((topic) => parseHash(`0x${word(topic)}`)),
      data,
      position: frame.calls?.length ?? 0,
    });
  }
}

const LOG = /^LOG[0-4]$/;

/** What a failed frame and the calls in it logged never happened. */
function dropLogs(frame: CallFrame): void {
  delete frame.logs;
  for (const inner of frame.calls ?? []) dropLogs(inner);
}

function word(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}
