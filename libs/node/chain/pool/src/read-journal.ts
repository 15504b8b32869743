import { decodeTransaction, findAccount, type AccountState, type WorldState } from '@tetrad/node-execution';
import type { PoolJournal } from '@tetrad/node-store';
import type { Hash, SignedTransaction } from '@tetrad/types';

/** One row of the journal against the state at the head. */
export interface JournalledTransaction {
  readonly transaction: SignedTransaction;
  /** Milliseconds since the epoch. */
  readonly acceptedMs: number;
  readonly account: AccountState | undefined;
}

/** A page of the journal of an earlier run. */
export interface JournalPage {
  /** In the order of acceptance. */
  readonly waiting: readonly JournalledTransaction[];
  /** Transactions whose nonces are used up. */
  readonly obsolete: Hash[];
}

/** Rows in memory at once, besides those that the pool keeps. */
const PAGE_ROWS = 500n;

/** Reads the journal page by page: it may exceed the current limits of the pool. */
export async function* readJournal(
  journal: Pick<PoolJournal, 'load'>,
  { chainId, openWorld }: { readonly chainId: bigint; readonly openWorld: () => Promise<WorldState> },
): AsyncGenerator<JournalPage> {
  for (let after = -1n; ;) {
    const rows = await journal.load({ after, limit: PAGE_ROWS });
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.sequence;
    const world = await openWorld();
    const [waiting, obsolete]: [JournalledTransaction[], Hash[]] = [[], []];
    for (const { hash, raw, acceptedMs } of rows) {
      const transaction = decodeTransaction(raw, chainId);
      const account = await findAccount(world, transaction.sender);
      if (transaction.nonce < (account?.nonce ?? 0n)) obsolete.push(hash);
      else waiting.push({ transaction, acceptedMs, account });
    }
    yield { waiting, obsolete };
  }
}
