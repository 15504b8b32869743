import type { debugMethods, debugStandardMethods } from '@tetrad/api-node';
import { encodeBlock, encodeHeader, encodeReceipt } from '@tetrad/node-block';
import { dumpAccount } from '@tetrad/node-execution';
import { BlockResolver } from '@tetrad/node-queries';
import { Tracer } from '@tetrad/node-simulation';
import type { Handlers } from '@tetrad/rpc';
import { RequestError, hashToBytes, type Address } from '@tetrad/types';
import { structFormOf } from './goquorum-names.js';
import type { NodeParts } from './node-parts.js';
import { findRaw } from './raw-transactions.js';

type Served = Handlers<Pick<typeof debugMethods, 'debug_dumpAddress'> & typeof debugStandardMethods>;

export function debugHandlers(
  parts: Pick<
    NodeParts,
    | 'executions'
    | 'identity'
    | 'ledger'
    | 'limits'
    | 'pending'
    | 'pool'
    | 'privacy'
    | 'privateState'
    | 'receipts'
    | 'runner'
  >,
): Served {
  const { ledger, limits } = parts;
  const blocks = new BlockResolver(parts);
  const tracer = new Tracer({ ...parts, structForm: structFormOf(parts.identity) });
  return {
    async debug_dumpAddress([address, reference]) {
      const notFound = `block #${reference} not found`;
      const world = await blocks.worldOf(address, reference, { notFound });
      return viewDump(await dumpAccount(world, address, limits.dumpSlots), address, limits);
    },
    async debug_preimage([hash]) {
      const world = await blocks.world();
      const preimage = await world.findPreimage(hashToBytes(hash));
      if (preimage === undefined) throw new RequestError('PREIMAGE_NOT_FOUND', 'unknown preimage');
      return preimage;
    },
    debug_getRawHeader: async ([reference]) => encodeHeader((await blocks.get(reference)).header),
    debug_getRawBlock: async ([reference]) => encodeBlock(await blocks.get(reference)),
    debug_getBlockRlp: async ([reference]) => encodeBlock(await blocks.get(reference)),
    debug_getRawReceipts: async ([reference]) =>
      (await ledger.listReceipts(await blocks.get(reference))).map(({ receipt }) => encodeReceipt(receipt)),
    debug_getRawTransaction: ([hash]) => findRaw(parts, hash),
    debug_traceTransaction: ([hash, options], { signal }) =>
      tracer.traceTransaction(hash, options ?? {}, signal),
  };
}

/** @throws RequestError STATE_OBJECT_NOT_FOUND, STORAGE_TOO_LARGE */
function viewDump(
  dump: Awaited<ReturnType<typeof dumpAccount>>,
  address: Address,
  { dumpSlots }: Pick<NodeParts['limits'], 'dumpSlots'>,
) {
  if (dump === undefined)
    throw new RequestError('STATE_OBJECT_NOT_FOUND', 'error retrieving state', { address });
  if (dump === 'tooLarge')
    throw new RequestError('STORAGE_TOO_LARGE', `the account has more than ${dumpSlots} storage slots`);
  const { balance, nonce, storageRoot, codeHash, code, storage } = dump;
  return { balance, nonce, root: storageRoot, codeHash, code, storage };
}
