import { viewReceipt, viewTransaction, type ethSubmissionMethods } from '@tetrad/api-node';
import { SynchronousSubmission, ownTransactions } from '@tetrad/node-transactions';
import { PrescribedError, type Handlers } from '@tetrad/rpc';
import type { Hash } from '@tetrad/types';
import type { NodeParts } from './node-parts.js';
import { decodeOrRefuse } from './transactions.js';

/** Code of EIP-7966 for a transaction that is in the pool and was not mined in time. */
const NOT_MINED_IN_TIME = 4;

export function submissionHandlers(
  parts: Pick<NodeParts, 'clock' | 'ledger' | 'limits' | 'pool' | 'receipts' | 'sender'>,
): Handlers<typeof ethSubmissionMethods> {
  const { ledger, pool, sender, limits } = parts;
  const submission = new SynchronousSubmission(parts);
  return {
    eth_pendingTransactions: () =>
      ownTransactions(pool, sender.accounts(), limits.answerBytes).map((one) => viewTransaction(one)),
    eth_resend: ([request, gasPrice, gasLimit]) => sender.resend(request, { gasPrice, gasLimit }),
    async eth_sendRawTransactionSync([raw, waitMs], { signal }) {
      const transaction = decodeOrRefuse(raw, ledger.genesis.chainId);
      const receipt = await submission.submit(transaction, { waitMs, signal });
      if (receipt === undefined) throw notMinedInTime(transaction.hash);
      return viewReceipt(receipt);
    },
  };
}

function notMinedInTime(hash: Hash): PrescribedError {
  return new PrescribedError(
    `the transaction was added to the pool but was not mined in time; its hash is ${hash}`,
    { code: NOT_MINED_IN_TIME, data: hash, reason: 'NOT_MINED_IN_TIME' },
  );
}
