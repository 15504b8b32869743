import { MAX_ACCOUNTS } from '@tetrad/rollup-state';
import type { AccountDetails, RollupStore } from '@tetrad/rollup-store';
import { RequestError } from '@tetrad/types';
import type { Point } from '@tetrad/rollup-crypto';
import { LRUCache } from 'lru-cache';

const MAX_KEPT = 100_000;

type Store = Pick<RollupStore, 'findAccountById' | 'findAccountByKey' | 'finalHeight'>;

/** Accounts that are final on the chain: those stay as they are, so they are kept. */
export class AccountDirectory {
  private readonly kept = new LRUCache<number, AccountDetails>({ max: MAX_KEPT });

  constructor(private readonly store: Store) {}

  /** Undefined when the account does not exist, or is not final yet. */
  async find(id: number): Promise<AccountDetails | undefined> {
    const found = await this.look(id);
    return found === 'NOT_FINAL' ? undefined : found;
  }

  /** Undefined when the account does not exist, or is not final yet. */
  async findByKey(publicKey: Point): Promise<AccountDetails | undefined> {
    const details = await this.store.findAccountByKey(publicKey);
    return details !== undefined && (await this.isFinal(details)) ? details : undefined;
  }

  /** @throws RequestError (ROLLUP_ACCOUNT_NOT_FOUND, ROLLUP_ACCOUNT_NOT_FINALIZED) */
  async get(id: number): Promise<AccountDetails> {
    const found = await this.look(id);
    if (found === undefined) throw accountNotFound(id);
    if (found === 'NOT_FINAL') {
      const why = 'its creation is not finalized on the blockchain yet';
      throw new RequestError('ROLLUP_ACCOUNT_NOT_FINALIZED', `account ${id} is not ready: ${why}`, {
        accountId: id,
      });
    }
    return found;
  }

  private async look(id: number): Promise<AccountDetails | 'NOT_FINAL' | undefined> {
    const kept = this.kept.get(id);
    if (kept !== undefined) return kept;
    if (id < 1 || id >= MAX_ACCOUNTS) return undefined;
    const details = await this.store.findAccountById(id);
    if (details === undefined) return undefined;
    if (!(await this.isFinal(details))) return 'NOT_FINAL';
    this.kept.set(id, details);
    return details;
  }

  private async isFinal({ createdHeight }: AccountDetails): Promise<boolean> {
    return createdHeight <= (await this.store.finalHeight());
  }
}

/** The account has keys that are known here, and a state that is not. */
export function accountOpaque(id: number): RequestError {
  const text = `account ${id} was changed by a batch that the operator cannot read; its holder can go on by batches of their own`;
  return new RequestError('ROLLUP_ACCOUNT_OPAQUE', text, { accountId: id });
}

export function accountNotFound(id: number): RequestError {
  return new RequestError('ROLLUP_ACCOUNT_NOT_FOUND', `unknown account ${id}`, { accountId: id });
}
