import type { Address, Hash } from '@tetrad/types';

/** A log where it was written; `position` counts the inner calls before it. */
export interface FrameLog {
  readonly address: Address;
  readonly topics: Hash[];
  readonly data: Uint8Array;
  /** Number of inner calls before the log. */
  readonly position: number;
}

/** One call and the calls it made, as geth's `callTracer` gives it. */
export interface CallFrame {
  type: string;
  from: Address;
  to?: Address | undefined;
  /** Value in wei. */
  value?: bigint | undefined;
  /** Gas given to the call. */
  gas: bigint;
  gasUsed: bigint;
  input: Uint8Array;
  output?: Uint8Array | undefined;
  error?: string | undefined;
  revertReason?: string | undefined;
  logs?: FrameLog[] | undefined;
  calls?: CallFrame[] | undefined;
}

/** Removes the logs of failed frames and of the calls in them, which were reverted. Cost: the number of frames */
export function dropLogsOfFailures(top: CallFrame): void {
  const rest: { frame: CallFrame; failed: boolean }[] = [{ frame: top, failed: false }];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { frame } = next;
    const failed = next.failed || frame.error !== undefined;
    if (failed) delete frame.logs;
    for (const inner of frame.calls ?? []) rest.push({ frame: inner, failed });
  }
}
