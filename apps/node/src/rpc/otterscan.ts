import { viewBlockDetails, viewBlockPage, type BlockReference, type otsMethods } from '@tetrad/api-node';
import { blockSize } from '@tetrad/node-block';
import { readCode } from '@tetrad/node-execution';
import { BlockResolver } from '@tetrad/node-queries';
import { TransactionInspector } from '@tetrad/node-simulation';
import type { Handlers } from '@tetrad/rpc';
import type { Block } from '@tetrad/types';
import { addressHistoryHandlers } from './address-history.js';
import type { NodeParts } from './node-parts.js';

/** Version of Erigon's `ots` methods whose forms these have; Otterscan needs 8 at least. */
const API_LEVEL = 8;

export function otterscanHandlers(
  parts: Pick<
    NodeParts,
    | 'addressHistory'
    | 'addressIndex'
    | 'executions'
    | 'ledger'
    | 'limits'
    | 'pending'
    | 'privacy'
    | 'privateState'
    | 'receipts'
  >,
): Handlers<typeof otsMethods> {
  const { ledger, receipts } = parts;
  const blocks = new BlockResolver(parts);
  const inspector = new TransactionInspector(parts);
  const figuresOf = (block: Block) => ({
    sizeBytes: blockSize(block),
    totalDifficulty: ledger.totalDifficulty(block.header.number),
  });
  const details = async (reference: BlockReference) => {
    const block = await blocks.find(reference);
    if (block === undefined) return null;
    const reward = ledger.rules.rewardOf(ledger.contextOf(block.header))?.wei ?? 0n;
    return viewBlockDetails(block, await receipts.list(block), { ...figuresOf(block), reward });
  };
  return {
    ...addressHistoryHandlers(parts),
    ots_getApiLevel: () => API_LEVEL,
    async ots_hasCode([address, reference]) {
      return (await readCode(await blocks.worldOf(address, reference), address)).length > 0;
    },
    ots_getInternalOperations: ([hash], { signal }) => inspector.internalOperations(hash, signal),
    ots_traceTransaction: ([hash], { signal }) => inspector.callTree(hash, signal),
    ots_getTransactionError: ([hash], { signal }) => inspector.revertData(hash, signal),
    ots_getBlockDetails: ([reference]) => details(reference),
    ots_getBlockDetailsByHash: ([blockHash]) => details({ blockHash }),
    async ots_getBlockTransactions([reference, page, size]) {
      const block = await blocks.find(reference);
      if (block === undefined) return null;
      return viewBlockPage(block, await receipts.list(block), { ...figuresOf(block), page, size });
    },
  };
}
