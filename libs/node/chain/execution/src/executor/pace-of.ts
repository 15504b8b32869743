import type { Pace } from '@tetrad/node-evm';

/** Milliseconds that an execution may run in total before it waits for `onLong`. */
const FREE_MS = 8;

/** How an execution for a client is aborted, and what it awaits when it takes long. */
export interface Interruption {
  readonly signal?: AbortSignal;
  /** Awaited before an execution continues beyond a few milliseconds; may be called many times. */
  readonly onLong?: () => Promise<void>;
}

/** Executions that wait for their next slice. */
const waiting: (() => void)[] = [];

/** One execution goes on in each turn of the event loop: any number of them delays other work by one slice. */
function nextSlice(): Promise<void> {
  return new Promise((done) => {
    if (waiting.push(done) === 1) setImmediate(resumeFirst);
  });
}

function resumeFirst(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(resumeFirst);
}

/** The pace of executions that begin now: they yield to other work after every slice. */
export function paceOf({ signal, onLong }: Interruption): Pace {
  const free = performance.now() + FREE_MS;
  const giveWay = async () => {
    await nextSlice();
    if (performance.now() >= free) await onLong?.();
  };
  return { signal, giveWay };
}
