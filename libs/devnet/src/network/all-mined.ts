import { runLoad } from '@tetrad/testkit';

const TIMEOUT_MS = 300_000;
const POLL_MS = 500;
const CONNECTIONS = 8;

/**
 * Resolves once the node has a receipt of every transaction.
 * @throws naming one that it does not get
 */
export async function allMined(url: string, hashes: Iterable<string>): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (let missing = [...hashes]; missing.length > 0;) {
    const receipts = await runLoad(
      missing.map((hash) => [hash]),
      { url, connections: CONNECTIONS, method: 'eth_getTransactionReceipt' },
    );
    missing = missing.filter((_, index) => (receipts[index]?.result ?? null) === null);
    if (missing.length === 0) return;
    if (Date.now() > deadline)
      throw new Error(
        `${url}: ${missing.length} acknowledged transactions are not mined, for example ${missing[0]}`,
      );
    await new Promise((tick) => setTimeout(tick, POLL_MS));
  }
}
