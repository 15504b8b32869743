import { viewHeader, type BlockReference, type erigonMethods, type ethHeaderMethods } from '@tetrad/api-node';
import { BlockFinder } from '@tetrad/node-queries';
import type { Handlers } from '@tetrad/rpc';
import type { NodeParts } from './node-parts.js';

export function headerHandlers(
  parts: Pick<NodeParts, 'ledger'>,
): Handlers<typeof ethHeaderMethods & typeof erigonMethods> {
  const blocks = new BlockFinder(parts.ledger);
  const view = async (reference: BlockReference) => {
    // Of the past of a node that joined by state, headers are all that is here.
    const header = typeof reference === 'number' ? await parts.ledger.findHeader(reference) : undefined;
    const block = header ?? (await blocks.find(reference));
    return block === undefined ? null : viewHeader(block, parts.ledger.totalDifficulty(block.header.number));
  };
  return {
    eth_getHeaderByHash: ([blockHash]) => view({ blockHash }),
    eth_getHeaderByNumber: ([reference]) => view(reference),
    erigon_getHeaderByNumber: ([reference]) => view(reference),
  };
}
