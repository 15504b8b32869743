import type { Evm } from '../interpreter/evm.js';
import { ExecutionAbortedError } from './execution-context.js';

/** An opcode needs a few fetches one after the other at most: an account, its code, what that points to, in each world. */
const MAX_FETCHES = 32;

/** Bounds the fetches: a supply that fetches nothing would be asked forever. */
export class Progress {
  private place = '';
  private fetches = 0;

  /** @throws Error when nothing is noted as missing, or when fetching did not help */
  assert({ frame, journal }: Pick<Evm, 'frame' | 'journal'>): void {
    const place = frame === undefined ? '' : `${frame.depth} ${frame.index} ${frame.pc} ${frame.gas}`;
    this.fetches = place === this.place ? this.fetches + 1 : 1;
    this.place = place;
    if (!journal.hasMissing) throw new Error('the execution stopped, and nothing is missing');
    if (this.fetches > MAX_FETCHES) throw new Error('data is still missing after it was fetched');
  }
}

/**
 * Runs an EVM to its end: fetches missing data, waits for asynchronous precompiles, and yields to other work after every
 * slice of gas.
 * @throws ExecutionAbortedError; whatever a fetch or a precompile fails with
 */
export async function drive(evm: Evm): Promise<void> {
  const progress = new Progress();
  const { signal, giveWay = turn } = evm.pace;
  for (;;) {
    const pause = evm.run();
    if (pause === 'done') return;
    throwIfAborted(signal);
    if (pause === 'missing') progress.assert(evm);
    if (pause === 'missing') await evm.journal.fetch();
    else if (pause === 'work') await finished(evm);
    else await giveWay();
    throwIfAborted(signal);
  }
}

/** Waits for a precompile. The error of an aborted one is replaced by ExecutionAbortedError. */
async function finished({ work, pace }: Evm): Promise<void> {
  try {
    await work;
  } catch (error) {
    throwIfAborted(pace.signal);
    throw error;
  }
}

function turn(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}

/** @throws ExecutionAbortedError when the signal is aborted */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new ExecutionAbortedError('execution aborted');
}
