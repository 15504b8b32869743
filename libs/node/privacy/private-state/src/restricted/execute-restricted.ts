import { endTransaction, rulesOf, toLog, wordFromAddress, type Account } from '@tetrad/node-evm';
import type { SignedTransaction } from '@tetrad/types';
import type { PrivateExecutionParts, PrivateOutcome } from '../execution/private-execution.js';
import { enteredContracts } from '../execution/check-contracts.js';
import { privateReceipt } from '../execution/private-receipt.js';
import { runPrivateMessage } from '../execution/run-private-message.js';
import { TwoWorlds } from '../execution/two-worlds.js';
import type { PrivatePayload } from '../payload/payload-source.js';
import { groupNonceAccount, groupContractAddress } from './group-sender.js';
import type { RestrictedTransaction } from './restricted-transaction.js';

/**
 * Executes the restricted transaction behind a marker over both worlds, and makes its private changes final. It has no effect
 * when its nonce is not the sender's next one in the group, or when another party than `privateFrom` sent it.
 * @throws whatever a source fails with; nothing has changed then
 */
export async function executeRestricted(
  parts: PrivateExecutionParts,
  marker: SignedTransaction,
  { restricted, payload }: { readonly restricted: RestrictedTransaction; readonly payload: PrivatePayload },
): Promise<PrivateOutcome> {
  const { context, publicWorld, privateWorld } = parts;
  const { sender, nonce, gasLimit, gasPrice, to, data } = restricted;
  if (payload.sender !== undefined && payload.sender !== restricted.privateFrom) return { kind: 'notParty' };
  const { journal } = privateWorld;
  const start = journal.checkpoint();
  try {
    const counter = await loadNonceAccount(parts, restricted);
    if (counter.nonce !== nonce) return { kind: 'notParty' };
    const created = to === undefined ? groupContractAddress(restricted, nonce) : undefined;
    const worlds = new TwoWorlds(publicWorld, privateWorld);
    const message = { sender, nonce, gasLimit, gasPrice, value: 0n, data: marker.data };
    const target = to === undefined ? { created } : { to };
    const outcome = await runPrivateMessage(context, { ...message, ...target }, { data, worlds });
    counter.setNonce(nonce + 1n);
    const logs = journal.logs.map(toLog);
    journal.touched = journal.touched.filter(({ world }) => world === privateWorld);
    endTransaction(journal, rulesOf(context.fork));
    const entered = enteredContracts(worlds);
    const receipt = privateReceipt({ ...outcome, logs, entered }, created);
    return { kind: 'party', transaction: restricted, receipt };
  } catch (error) {
    journal.revert(start);
    journal.next();
    throw error;
  }
}

async function loadNonceAccount(
  { privateWorld }: PrivateExecutionParts,
  restricted: RestrictedTransaction,
): Promise<Account> {
  const address = wordFromAddress(groupNonceAccount(restricted));
  const known = privateWorld.account(address);
  if (known !== undefined) return known;
  await privateWorld.journal.fetch();
  const fetched = privateWorld.account(address);
  if (fetched === undefined) throw new Error('an account that was fetched is not in memory');
  return fetched;
}
