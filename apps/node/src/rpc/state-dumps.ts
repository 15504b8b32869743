import type { StateDumpView, StorageRangeView, debugStateMethods } from '@tetrad/api-node';
import { encodeBlock } from '@tetrad/node-block';
import type { ListedAccount, StatePage } from '@tetrad/node-execution';
import { BlockResolver, StateDumps, accountsModified, storageRange } from '@tetrad/node-queries';
import { replayUpTo } from '@tetrad/node-simulation';
import type { Handlers } from '@tetrad/rpc';
import { hashToBytes } from '@tetrad/types';
import { showBlock } from './blocks.js';
import type { NodeParts } from './node-parts.js';

export function stateDumpHandlers(
  parts: Pick<NodeParts, 'executions' | 'ledger' | 'limits' | 'pending' | 'privateState'>,
): Handlers<typeof debugStateMethods> {
  const { ledger, limits, executions } = parts;
  const blocks = new BlockResolver(parts);
  const dumps = new StateDumps(blocks, limits);
  return {
    debug_dumpBlock: async ([reference], { signal }) => viewPage(await dumps.whole(reference, signal)),
    async debug_accountRange([reference, start, accounts, noCode, noStorage], { signal }) {
      const from = start ?? new Uint8Array(0);
      const range = { from, accounts, withCode: noCode !== true, withStorage: noStorage !== true };
      return viewPage(await dumps.page(reference, range, signal));
    },
    async debug_storageRangeAt(
      [blockHash, index, address, from, most],
      { signal },
    ): Promise<StorageRangeView> {
      const block = await blocks.get({ blockHash }, `block ${blockHash} not found`);
      const { world } = await executions.run(signal, (admission) =>
        replayUpTo(ledger, block, { index, admission }),
      );
      const { slots, next } = await storageRange(world, address, { from, most });
      return { storage: Object.fromEntries(slots), nextKey: next };
    },
    debug_getModifiedAccountsByNumber: ([start, end], context) =>
      accountsModified(blocks, { start, end }, () => context.giveWay()),
    debug_getModifiedAccountsByHash: ([start, end], context) =>
      accountsModified(blocks, { start: { blockHash: start }, end: end && { blockHash: end } }, () =>
        context.giveWay(),
      ),
    debug_getBadBlocks: () =>
      ledger.badBlocks.list().map(({ block, reason }) => ({
        hash: block.hash,
        rlp: encodeBlock(block),
        reason,
        block: showBlock(parts, block, true),
      })),
  };
}

function viewPage({ root, accounts, next }: StatePage): StateDumpView {
  // The address of every account is known: the state keeps the preimages of its keys.
  const named = accounts.flatMap(({ address, account }) =>
    address === undefined ? [] : [[address, viewAccount(account)] as const],
  );
  return { root, accounts: new Map(named), ...(next === undefined ? {} : { next: hashToBytes(next) }) };
}

function viewAccount({ storageRoot, hashedAddress, ...account }: ListedAccount) {
  return { ...account, root: storageRoot, key: hashedAddress };
}
