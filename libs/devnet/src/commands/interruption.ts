import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The command was interrupted. */
class InterruptedError extends Error {
  override readonly name = 'InterruptedError';

  constructor(private readonly by: (typeof SIGNALS)[number]) {
    super(`interrupted by ${by}`);
  }

  get exitCode(): number {
    return 128 + constants.signals[this.by];
  }
}

/**
 * Aborts at the first signal that asks the process to end, with an InterruptedError as its reason. The second one ends
 * the process at once, and its children with it.
 */
export function listenForInterruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      const error = new InterruptedError(signal);
      if (controller.signal.aborted) process.exit(error.exitCode);
      controller.abort(error);
    });
  }
  return controller.signal;
}

/** Exit code of an interrupted process, by the convention of shells. */
export function exitCodeOf({ reason }: AbortSignal): number {
  return reason instanceof InterruptedError ? reason.exitCode : 1;
}

/** Resolves when it aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener('abort', () => done(), { once: true });
  });
}
