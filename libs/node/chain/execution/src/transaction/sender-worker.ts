import { parentPort } from 'node:worker_threads';
import { addressToBytes } from '@tetrad/types';
import { decodeTransaction } from './decode-transaction.js';
import { answerBatch, type SenderBatch } from './sender-batch.js';

/** Entry of a decoder thread: one answer per batch, in the order of the batches. */
parentPort?.on('message', (batch: SenderBatch) => {
  const answer = answerBatch(batch, (raw, chainId) => addressToBytes(decodeTransaction(raw, chainId).sender));
  parentPort?.postMessage(answer, [answer.senders.buffer]);
});
