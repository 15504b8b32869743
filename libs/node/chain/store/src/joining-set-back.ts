import { LedgerStoreError } from './ledger-store-error.js';
import type { NodeCalls } from './node-client.js';
import { removePrivateState } from './private-set-back.js';

const LATER = { gt: 0n };

/**
 * Removes what a joining that has not ended stored, in the transaction of the calls: block 0 and its state are left. Trie nodes, code and
 * preimages are found by their hashes and stay.
 * @throws LedgerStoreError when a state was taken wholly, or blocks were executed here
 */
export async function removeJoining(calls: NodeCalls): Promise<void> {
  const joined = await calls.stateSync.count({ where: { joinedBlock: { not: null } } });
  const executed = await calls.chain.count({ where: { headNumber: LATER } });
  if (joined + executed > 0) throw new LedgerStoreError('only a joining that has not ended can be given up');
  await calls.block.deleteMany({ where: { number: LATER } });
  await calls.validatorSet.deleteMany({ where: { fromBlock: LATER } });
  await calls.validatorVote.deleteMany({ where: { block: LATER } });
  await calls.stateSyncPart.deleteMany();
  await calls.stateSync.deleteMany();
  await calls.flatStateHead.deleteMany();
  await calls.flatState.deleteMany();
  await removePrivateState(calls, undefined);
}
