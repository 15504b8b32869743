import { allMined } from '../network/all-mined.js';
import { callRpc } from './call-rpc.js';
import { assert } from './demo-context.js';

/**
 * Waits until every transaction has a receipt, and checks that each is in the chain once.
 * @returns how many blocks contain them
 */
export async function minedOnce(url: string, hashes: Iterable<string>): Promise<number> {
  const wanted = new Set(hashes);
  await allMined(url, wanted);
  const head = Number(await callRpc(url, 'eth_blockNumber', []));
  const seen = new Set<string>();
  let blocks = 0;
  for (let number = 0; number <= head; number++) {
    const block = await callRpc(url, 'eth_getBlockByNumber', [`0x${number.toString(16)}`, false]);
    const ours = (block as { transactions: string[] }).transactions.filter((hash) => wanted.has(hash));
    for (const hash of ours) {
      assert(!seen.has(hash), `${hash} is mined twice`);
      seen.add(hash);
    }
    if (ours.length > 0) blocks += 1;
  }
  assert(
    seen.size === wanted.size,
    `${wanted.size - seen.size} transactions have a receipt but are in no block`,
  );
  return blocks;
}
