import { insertCredits } from './credit-rows.js';
import type { ExecutionWrite } from './execution-rows.js';
import { takeDeposits } from './hot/take-deposits.js';
import { wakeWaiting } from './hot/wake-waiting.js';
import { writeBatches } from './hot/write-batches.js';
import { writeCreated } from './hot/write-created.js';
import { writeExecuted } from './hot/write-executed.js';
import { writeOpaque } from './hot/write-opaque.js';
import { writeOrders } from './hot/write-orders.js';
import { writeRedeemed } from './hot/write-redeemed.js';
import { writeRejected } from './hot/write-rejected.js';
import { writeVersions } from './hot/write-versions.js';
import { writeWaiting } from './hot/write-waiting.js';
import type { RollupCalls } from './rollup-client.js';
import type { Statements } from './statements.js';

/**
 * Writes all of it, with a statement a table; part of a transaction that holds the lock of the sequence.
 *
 * @param statements - of the transaction
 * @param write - what was executed
 * @param calls - the client in the transaction, which is loaded where something was credited
 */
export async function writeExecution(
  statements: Statements,
  write: ExecutionWrite,
  calls: () => Promise<RollupCalls>,
): Promise<void> {
  await writeExecuted(statements, write.executed);
  await writeRejected(statements, write.rejected);
  await writeWaiting(statements, write.waiting);
  await takeDeposits(statements, write.deposits);
  await writeCreated(statements, write.created);
  await writeVersions(statements, write.versions);
  await writeOpaque(statements, write.opaque);
  await writeOrders(statements, write.orders);
  await writeRedeemed(statements, write.redeemed);
  if (write.credits.length > 0) await insertCredits(await calls(), write.credits);
  await writeBatches(statements, write.batches);
  await wakeWaiting(statements, write.versions);
}
