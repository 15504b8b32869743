/** Long enough for a host that has much else to do; nothing waits for it that goes right. */
const DEADLINE_MS = 90_000;

/**
 * Resolves once the condition holds.
 * @throws when it does not for a long time
 */
export async function eventually(condition: () => boolean, what = 'the condition'): Promise<void> {
  const untilMs = Date.now() + DEADLINE_MS;
  while (!condition()) {
    if (Date.now() > untilMs) throw new Error(`${what} did not come true`);
    await pause(10);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
