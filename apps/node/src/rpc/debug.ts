import type { TraceOptions, debugMethods, debugStandardMethods } from '@tetrad/api-node';
import { dumpAccount, traceCalls, traceTransaction } from '@tetrad/node-execution';
import { encodeBlock, encodeReceipt, minedAt } from '@tetrad/node-ledger';
import { encodeHeader } from '@tetrad/node-consensus-bft';
import type { Handlers, ResultOf } from '@tetrad/rpc';
import { RefusalError, type Hash } from '@tetrad/types';
import type { NodeParts } from './node-parts.js';
import { BlockResolver } from './resolve-block.js';

type TraceResult = ResultOf<(typeof debugStandardMethods)['debug_traceTransaction']>;
type Served = Handlers<Pick<typeof debugMethods, 'debug_dumpAddress'> & typeof debugStandardMethods>;

export function debugHandlers(parts: NodeParts): Served {
  const { ledger, limits } = parts;
  const blocks = new BlockResolver(parts);
  return {
    async debug_dumpAddress([address, reference]) {
      const world = await blocks.world(reference, `block #${reference} not found`);
      const dump = await dumpAccount(world, address, limits.dumpSlots);
      if (dump === undefined) {
        throw new RefusalError('STATE_OBJECT_NOT_FOUND', 'error retrieving state', { address });
      }
      if (dump === 'tooLarge') {
        throw new RefusalError(
          'STORAGE_TOO_LARGE',
          `the account has more than ${limits.dumpSlots} storage slots`,
        );
      }
      const { balance, nonce, storageRoot, codeHash, code, storage } = dump;
      return { balance, nonce, root: storageRoot, codeHash, code, storage };
    },
    debug_getRawHeader: async ([reference]) => encodeHeader((await blocks.get(reference)).header),
    debug_getRawBlock: async ([reference]) => encodeBlock(await blocks.get(reference)),
    debug_getRawReceipts: async ([reference]) =>
      (await ledger.listReceipts(await blocks.get(reference))).map(({ receipt }) => encodeReceipt(receipt)),
    async debug_getRawTransaction([hash]) {
      const transaction = parts.pool.find(hash) ?? (await ledger.findTransaction(hash))?.transaction;
      return transaction?.raw ?? new Uint8Array(0);
    },
    debug_traceTransaction: ([hash, options], { signal }) =>
      trace(parts, hash, { options: options ?? {}, signal }),
  };
}

/** Runs the transactions before it again, then the transaction with a recorder. */
async function trace(
  { ledger, limits }: NodeParts,
  hash: Hash,
  { options, signal }: { options: TraceOptions; signal: AbortSignal },
): Promise<TraceResult> {
  const mined = await ledger.findTransaction(hash);
  if (mined === undefined) throw new RefusalError('TRANSACTION_NOT_FOUND', 'transaction not found');
  const block = await ledger.findBlock(mined.position.blockNumber);
  if (block === undefined) throw new RefusalError('BLOCK_NOT_FOUND', 'header not found');
  const { context, world } = await ledger.replay(block);
  for (let index = 0; index < mined.position.transactionIndex; index++) {
    const before = minedAt(block, index);
    if (before !== undefined) await ledger.executor.executeTransaction(context, before.transaction, world);
  }
  const simulation = { executor: ledger.executor, block: context, world, signal };
  if (options.tracer === 'callTracer') {
    const { onlyTopCall, withLog } = options.tracerConfig ?? {};
    const { revertReason } = await import('./revert-reason.js');
    const frame = await traceCalls(simulation, mined.transaction, {
      onlyTopCall: onlyTopCall === true,
      withLog: withLog === true,
      revertReason,
    });
    // The codec's type loses the recursion of frames, which are plain objects all the way down.
    return frame as TraceResult;
  }
  const { disableStack, disableStorage, enableMemory, limit } = options;
  return traceTransaction(simulation, mined.transaction, {
    disableStack: disableStack ?? undefined,
    disableStorage: disableStorage ?? undefined,
    enableMemory: enableMemory ?? undefined,
    limit:
      limit === undefined || limit === null || limit === 0
        ? limits.traceSteps
        : Math.min(limit, limits.traceSteps),
  });
}
