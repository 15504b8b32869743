import type { MayTransact } from '@tetrad/node-execution';
import { innerPermission, type Replay } from '@tetrad/node-private-state';
import type { Ledger } from '@tetrad/node-ledger';
import type { Block } from '@tetrad/types';

/** The block's public transactions, for another execution. */
export async function replayOf(
  ledger: Ledger,
  block: Block,
  mayTransact: MayTransact | undefined,
): Promise<Replay> {
  const { context, world } = await ledger.replayForFollower(block);
  return {
    context: ledger.executor.context(context),
    world: world.evm,
    execute: (transaction) => ledger.executor.executeTransaction(context, transaction, world),
    isPermitted: innerPermission(mayTransact, { block: context, world }),
  };
}

/** Logs of the block's public transactions, after which those of private ones are counted. */
export async function countLogs(ledger: Ledger, block: Block): Promise<number> {
  const receipts = await ledger.listReceipts(block);
  return receipts.reduce((sum, { receipt }) => sum + receipt.logs.length, 0);
}
