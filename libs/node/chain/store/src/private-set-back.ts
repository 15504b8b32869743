import { clientBytes } from '@tetrad/db';
import { hashToBytes } from '@tetrad/types';
import { removeAddressIndex } from './address-index-store.js';
import type { NodeCalls } from './node-client.js';
import type { PrivateHead } from './private-rows.js';

/**
 * Removes what came of private transactions after the head, in the transaction of the calls; trie nodes, code and preimages are
 * found by their hashes and stay. The index by address, which has private transactions too, is removed, and is made again.
 * @param head - undefined for all of it
 */
export async function removePrivateState(calls: NodeCalls, head: PrivateHead | undefined): Promise<void> {
  const after = { gt: BigInt(head?.number ?? -1) };
  await removeAddressIndex(calls);
  await calls.privateReceipt.deleteMany({ where: { blockNumber: after } });
  await calls.privateLog.deleteMany({ where: { blockNumber: after } });
  await calls.privateContract.deleteMany({ where: { blockNumber: after } });
  await calls.privateBlock.deleteMany({ where: { number: after } });
  await calls.privateExtension.deleteMany({ where: { startedBlock: after } });
  await calls.privateExtension.updateMany({
    where: { approvedBlock: after },
    data: { approvedBlock: null },
  });
  await calls.privateExtension.updateMany({
    where: { finishedBlock: after },
    data: { finishedBlock: null },
  });
  // Statements stay: they were sent. The blocks are stated again, in place of those that say something else now.
  await calls.privateAgreementHead.updateMany({
    where: { number: after },
    data: { number: BigInt(head?.number ?? -1) },
  });
  if (head === undefined) await calls.privateHead.deleteMany();
  else
    await calls.privateHead.updateMany({
      data: { number: head.number, hash: clientBytes(hashToBytes(head.hash)) },
    });
}
