/** Looks again and again until it holds; what ends a wait in vain is the time-out of the test (CONTRIBUTING.md). */
export async function until(holds: () => boolean | Promise<boolean>, everyMs = 20): Promise<void> {
  while (!(await holds())) await new Promise((tick) => setTimeout(tick, everyMs));
}
