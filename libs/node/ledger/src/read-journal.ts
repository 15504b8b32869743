import { decodeTransaction, findAccount, type WorldState } from '@tetrad/node-execution';
import type { PoolJournal } from '@tetrad/node-store';
import type { Hash, SignedTransaction } from '@tetrad/types';

/** What the journal holds of a pool that was left behind. */
export interface JournalContent {
  /** In the order of acceptance, each with its sender's next nonce at the head. */
  readonly waiting: readonly { readonly transaction: SignedTransaction; readonly nextNonce: bigint }[];
  /** Transactions whose nonces are used up. */
  readonly obsolete: Hash[];
}

/** Reads the journal against the state at the head. */
export async function readJournal(
  journal: PoolJournal,
  { chainId, openWorld }: { readonly chainId: bigint; readonly openWorld: () => Promise<WorldState> },
): Promise<JournalContent> {
  const waiting: { transaction: SignedTransaction; nextNonce: bigint }[] = [];
  const obsolete: Hash[] = [];
  const rows = await journal.load();
  if (rows.length === 0) return { waiting, obsolete };
  const world = await openWorld();
  for (const { hash, raw } of rows) {
    const transaction = decodeTransaction(raw, chainId);
    const nextNonce = (await findAccount(world, transaction.sender))?.nonce ?? 0n;
    if (transaction.nonce < nextNonce) obsolete.push(hash);
    else waiting.push({ transaction, nextNonce });
  }
  return { waiting, obsolete };
}
