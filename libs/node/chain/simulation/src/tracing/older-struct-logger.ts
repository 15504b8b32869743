import { addressFromWord, type Evm, type Frame, type FrameOutcome } from '@tetrad/node-evm';
import { geth110NameOf } from './opcodes.js';
import { isRefusal } from './step-failure.js';
import type { StructLog } from './struct-log.js';
import { StructLogger, WORD_BYTES } from './struct-logger.js';

const NO_SLOTS: Readonly<Record<string, string>> = {};
const EMPTY_WORD = '0'.repeat(64);

/**
 * Records every opcode as the struct logger of geth 1.10, and so of GoQuorum: with its names, the storage of the contract on
 * every step, the memory as large as the opcode makes it, and the errors of refused opcodes alone.
 */
export class OlderStructLogger extends StructLogger {
  protected override describe(evm: Evm, frame: Frame, op: number): StructLog {
    const log = super.describe(evm, frame, op);
    log.op = geth110NameOf(evm.rules, op);
    if (this.options.disableStorage === true) return log;
    log.storage = this.shown.get(addressFromWord(frame.account.key)) ?? NO_SLOTS;
    this.spend(2 * WORD_BYTES * Object.keys(log.storage).length);
    return log;
  }

  override leave(frame: Frame, outcome: FrameOutcome, evm: Evm): void {
    const log = this.open[frame.depth]?.log;
    const memory = log?.memory;
    super.leave(frame, outcome, evm);
    if (log === undefined) return;
    if (!isRefusal(outcome.failure)) delete log.error;
    // A refused opcode enlarges nothing.
    else if (memory !== undefined) log.memory = memory;
  }

  protected override settle(evm: Evm, frame: Frame): void {
    super.settle(evm, frame);
    const log = this.open[frame.depth]?.log;
    if (log?.memory === undefined) return;
    const more = frame.memory.size / 32 - log.memory.length;
    if (more <= 0) return;
    this.spend(more * WORD_BYTES);
    log.memory = [...log.memory, ...new Array<string>(more).fill(EMPTY_WORD)];
  }
}
