import type { JsonRpcApiProvider, TransactionResponse } from 'ethers';
import type { Hash } from 'viem';
import { WaitForPrivateReceiptTimeoutError } from '../errors/privacy-errors.js';

/** Questions for a transaction that was sent, until it is taken for lost. */
const MAX_QUESTIONS = 60;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/**
 * A transaction that was sent, as its node shows it. Behind a proxy the node that is asked may learn of it a moment later.
 *
 * @param block - number of the block before it was sent
 * @throws WaitForPrivateReceiptTimeoutError when the node does not show it within a minute
 */
export async function sentTransaction(
  provider: JsonRpcApiProvider,
  hash: Hash,
  block: number,
): Promise<TransactionResponse> {
  for (let asked = 0; asked < MAX_QUESTIONS; asked++) {
    const transaction = await provider.getTransaction(hash);
    if (transaction !== null) return transaction.replaceableTransaction(block);
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** asked, LONGEST_PAUSE_MS);
    await new Promise((done) => setTimeout(done, pause));
  }
  throw new WaitForPrivateReceiptTimeoutError({ hash });
}
