/** Polls until the condition holds; the time-out of the test ends a wait in vain (CONTRIBUTING.md). */
export async function until(holds: () => boolean | Promise<boolean>, everyMs = 20): Promise<void> {
  while (!(await holds())) await new Promise((tick) => setTimeout(tick, everyMs));
}
