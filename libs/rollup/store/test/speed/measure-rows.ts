import { decodeWord } from '@tetrad/rollup-crypto';
import { openMeasuredDatabase, reportRowCosts, type ComparedStatement } from '@tetrad/testkit';
import { comparedExecution } from './compared-execution.js';
import { comparedAccounts, comparedOperations } from './compared-lookups.js';
import { comparedPolls } from './compared-polls.js';
import { comparedBatches, comparedOrders, comparedSteps } from './compared-reads.js';
import { comparedRequests } from './compared-requests.js';
import { comparedStart } from './compared-start.js';
import { comparedArrivals, comparedAssembly } from './compared-writes.js';
import { fillRollup } from './filled-rollup.js';

/** A program: `measure-rows.js URL REPORT`. Each statement of `hot/` beside the calls of the client that do the same. */
const database = await openMeasuredDatabase('rollup-operator');

await reportRowCosts(compared());
await database.close();

async function* compared(): AsyncGenerator<ComparedStatement> {
  yield comparedStart(database);
  const rollup = await fillRollup(database);
  const { hash } = await rollup.rows.client.operation.findFirstOrThrow({ select: { hash: true } });
  yield* comparedOperations(rollup, decodeWord(hash));
  yield* comparedAccounts(rollup);
  yield* comparedOrders(rollup);
  yield* comparedBatches(rollup);
  yield* comparedSteps(rollup);
  yield* comparedPolls(rollup);
  yield* await comparedExecution(rollup);
  yield* comparedAssembly(rollup);
  yield* comparedArrivals(rollup);
  yield* await comparedRequests(rollup);
  await rollup.rows.close();
}
