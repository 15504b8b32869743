import type { Pace } from '@tetrad/node-evm';

/** How long an execution may take in all before it waits for a place. */
const FREE_MS = 8;

/** Who may stop an execution of a client, and what it waits for when it takes long. */
export interface Interruption {
  readonly signal?: AbortSignal;
  /** Waited for by an execution that goes on beyond a few milliseconds, before it does; may be asked many times. */
  readonly onLong?: () => Promise<void>;
}

/** The pace of executions that begin now: after every slice other work has its turn. */
export function paceOf({ signal, onLong }: Interruption): Pace {
  const free = performance.now() + FREE_MS;
  const giveWay = async () => {
    await new Promise((done) => setImmediate(done));
    if (performance.now() >= free) await onLong?.();
  };
  return { signal, giveWay };
}
