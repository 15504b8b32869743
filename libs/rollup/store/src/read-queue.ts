import { countQueue } from './hot/count-queue.js';
import { listQueue } from './hot/list-queue.js';
import type { BatchQueue } from './queue-rows.js';
import type { Statements } from './statements.js';

/** The batches that are not final. */
export async function readQueue(from: Statements, limit: number): Promise<BatchQueue> {
  return { counts: await countQueue(from), batches: await listQueue(from, limit) };
}
