import { parentPort } from 'node:worker_threads';
import { useSystemLibrary } from '@tetrad/crypto/system-library';
import { ZERO_HASH, addressToBytes, announceLoaded } from '@tetrad/types';
import { decodeTransaction } from './decode-transaction.js';
import { answerBatch, type SenderBatch } from './sender-batch.js';

await useSystemLibrary();

/** Entry of a decoder thread: one answer per batch, in the order of the batches; those that come before this line wait. */
parentPort?.on('message', (batch: SenderBatch) => {
  // Any hash will do: the thread that asked has its own.
  const answer = answerBatch(batch, (raw, chainId) =>
    addressToBytes(decodeTransaction(raw, chainId, ZERO_HASH).sender),
  );
  parentPort?.postMessage(answer, [answer.senders.buffer]);
});
announceLoaded();
