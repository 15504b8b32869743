/** A wait that takes longer is named on standard error: a time-out of Jest does not say where the test was. */
const NAMED_AFTER_MS = 120_000;

/** Polls until the condition holds; the time-out of the test ends a wait in vain (CONTRIBUTING.md). */
export async function until(holds: () => boolean | Promise<boolean>, everyMs = 20): Promise<void> {
  const started = new Error('a test still waits');
  const naming = setTimeout(() => process.stderr.write(`${started.stack}\n`), NAMED_AFTER_MS);
  try {
    while (!(await holds())) await new Promise((tick) => setTimeout(tick, everyMs));
  } finally {
    clearTimeout(naming);
  }
}
