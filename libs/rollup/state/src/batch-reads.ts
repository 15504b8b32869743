import { splitTotalIndex } from '@tetrad/rollup-crypto';
import { pathPositions, type NodePosition } from './merkle-tree.js';
import { touchedAccountId, type RollupOperation } from './rollup-operation.js';
import { ACCOUNT_TREE_DEPTH, HISTORY_TREE_DEPTH } from './tree-shape.js';

/** All that applying a batch may read: what to fetch before, so that nothing waits while it is applied. */
export interface BatchReads {
  /** Accounts, of which there may be none yet. */
  readonly accountIds: readonly number[];
  readonly accountNodes: readonly NodePosition[];
  readonly historyNodes: readonly NodePosition[];
  /** Batches whose orders are redeemed. */
  readonly orderHeights: readonly number[];
}

/**
 * @param height - of the batch
 * @param operations - that the batch may take
 */
export function batchReads(height: number, operations: readonly RollupOperation[]): BatchReads {
  const accountIds = new Set<number>();
  const orderHeights = new Set<number>();
  for (const operation of operations) {
    const id = touchedAccountId(operation);
    if (id !== undefined) accountIds.add(id);
    if (operation.kind === 'redeemMoneyOrder')
      orderHeights.add(splitTotalIndex(operation.totalIndex).batchHeight);
  }
  return {
    accountIds: [...accountIds],
    accountNodes: pathNodes(ACCOUNT_TREE_DEPTH, accountIds),
    historyNodes: pathNodes(HISTORY_TREE_DEPTH, new Set([height, ...orderHeights])),
    orderHeights: [...orderHeights],
  };
}

/** The root and the siblings of every path, each once. */
function pathNodes(depth: number, indexes: ReadonlySet<number>): NodePosition[] {
  const nodes = new Map<string, NodePosition>();
  const add = (node: NodePosition) => nodes.set(`${node.level}/${node.index}`, node);
  add({ level: depth, index: 0 });
  for (const index of indexes) pathPositions(depth, index).forEach(add);
  return [...nodes.values()];
}
