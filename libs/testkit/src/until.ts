/** A wait that takes longer is named on standard error: a time-out of Jest does not say where the test was. */
const NAMED_AFTER_MS = 120_000;
const FIRST_MS = 20;
/** What is polled are services on the same cores: a long wait asks less often. */
const LONGEST_MS = 50;
const GROWTH = 1.1;

/**
 * Polls until the condition holds; the time-out of the test ends a wait in vain (CONTRIBUTING.md).
 * @param everyMs - how often, in ms; by default every 20 ms at first, and every 50 ms in the end
 */
export async function until(holds: () => boolean | Promise<boolean>, everyMs?: number): Promise<void> {
  const started = new Error('a test still waits');
  const naming = setTimeout(() => process.stderr.write(`${started.stack}\n`), NAMED_AFTER_MS);
  let pauseMs = everyMs ?? FIRST_MS;
  try {
    while (!(await holds())) {
      await new Promise((tick) => setTimeout(tick, pauseMs));
      if (everyMs === undefined) pauseMs = Math.min(pauseMs * GROWTH, LONGEST_MS);
    }
  } finally {
    clearTimeout(naming);
  }
}
