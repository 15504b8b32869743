import type { TestManager } from '../../privacy-network.js';

/**
 * Sends a payload by the manager alone, as a client without a node does.
 * @returns its hash, which a private transaction names
 */
export async function sendPayload(
  { url, key: from }: Pick<TestManager, 'url' | 'key'>,
  payload: Uint8Array,
  to: readonly string[],
): Promise<Buffer> {
  const response = await fetch(`${url}/send`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ payload: Buffer.from(payload).toString('base64'), from, to }),
  });
  return Buffer.from(((await response.json()) as { key: string }).key, 'base64');
}
