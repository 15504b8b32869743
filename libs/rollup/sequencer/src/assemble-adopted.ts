import {
  ACCOUNT_TREE_DEPTH,
  HISTORY_TREE_DEPTH,
  MerkleTree,
  ORDER_TREE_DEPTH,
  leavesOf,
  pathPositions,
  stateRoot,
  treeOfLeaves,
  type NodePosition,
  type RecoverableBatch,
} from '@tetrad/rollup-state';
import type { SequenceStep, TreeName } from '@tetrad/rollup-store';
import { UnreadableBatchError } from './assembly.js';

/**
 * Writes the trees of a batch that the chain accepted: they follow from the published data, even when the content of the
 * leaves is unknown.
 * @throws UnreadableBatchError when they do not lead to the published roots
 */
export async function assembleAdopted(step: SequenceStep, batch: RecoverableBatch): Promise<void> {
  const { height, ordersRoot, nextStateRoot: state } = batch;
  const leaves = new Map(leavesOf(batch));
  const accounts = await treeBefore(step, 'account', {
    depth: ACCOUNT_TREE_DEPTH,
    leaves: [...leaves.keys()],
    height,
  });
  const history = await treeBefore(step, 'history', { depth: HISTORY_TREE_DEPTH, leaves: [height], height });
  const previousState = stateRoot(accounts.root, history.root);
  accounts.updateAll(leaves);
  history.update(height, ordersRoot);
  const orders = treeOfLeaves(ORDER_TREE_DEPTH, batch.orders.entries()).root;
  if (orders !== ordersRoot || stateRoot(accounts.root, history.root) !== state)
    throw new UnreadableBatchError('what it publishes leads to another state root');
  await step.assemble({
    roots: { previousState, state, account: accounts.root, orders },
    proving: undefined,
    accountNodes: accounts.writes(),
    historyNodes: history.writes(),
  });
}

async function treeBefore(
  step: SequenceStep,
  name: TreeName,
  {
    depth,
    leaves,
    height,
  }: { readonly depth: number; readonly leaves: readonly number[]; readonly height: number },
): Promise<MerkleTree> {
  const positions = new Map<string, NodePosition>([[`${depth}/0`, { level: depth, index: 0 }]]);
  for (const leaf of leaves)
    for (const position of pathPositions(depth, leaf))
      positions.set(`${position.level}/${position.index}`, position);
  const nodes = await step.treeNodes(name, [...positions.values()], height - 1);
  return new MerkleTree(depth, (level, index) => nodes.get(`${level}/${index}`));
}
