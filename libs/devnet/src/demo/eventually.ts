const TIMEOUT_MS = 300_000;
const POLL_MS = 200;

/**
 * Waits for the condition; an unreachable node is waited for too.
 * @throws with the text when the condition stays false
 */
export async function eventually(otherwise: string, condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (!(await condition().catch(() => false))) {
    if (Date.now() > deadline) throw new Error(otherwise);
    await new Promise((tick) => setTimeout(tick, POLL_MS));
  }
}
