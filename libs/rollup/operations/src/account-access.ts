import { MAX_ACCOUNTS } from '@tetrad/rollup-state';
import { RequestError } from '@tetrad/types';

/** Accounts of one token; a header has room for a few thousand. */
const MAX_CLAIMED_ACCOUNTS = 1_000;

/** The accounts that a caller reads and sends for: all of them, or those of its token alone. */
export class AccountAccess {
  /** Every account. */
  static readonly all = new AccountAccess(undefined);

  private constructor(private readonly ids: ReadonlySet<number> | undefined) {}

  /**
   * @param claim - what the token lists; undefined in a token that is not bound to accounts
   * @throws RequestError (FORBIDDEN) for a claim that is not a list of account ids, which must not count as absent
   */
  static ofClaim(claim: unknown): AccountAccess {
    if (claim === undefined) return AccountAccess.all;
    if (Array.isArray(claim) && claim.length <= MAX_CLAIMED_ACCOUNTS && claim.every(isAccountId))
      return new AccountAccess(new Set(claim));
    throw new RequestError(
      'FORBIDDEN',
      `the accounts of the token must be a list of at most ${MAX_CLAIMED_ACCOUNTS} account ids`,
    );
  }

  /** The accounts to which answers are limited; undefined for all. */
  get accountIds(): readonly number[] | undefined {
    return this.ids === undefined ? undefined : [...this.ids];
  }

  covers(accountId: number): boolean {
    return this.ids?.has(accountId) ?? true;
  }

  /**
   * @param field - the parameter that names the account
   * @throws RequestError (FORBIDDEN), whether the account exists or not
   */
  assertCovers(field: string, accountId: number): void {
    if (this.covers(accountId)) return;
    throw new RequestError('FORBIDDEN', `${field}: the token is not for account ${accountId}`, {
      accountId,
    });
  }

  /**
   * For what is of no account yet.
   * @param field - the parameter that it begins with
   * @throws RequestError (FORBIDDEN)
   */
  assertUnbound(field: string): void {
    if (this.ids === undefined) return;
    throw new RequestError(
      'FORBIDDEN',
      `${field}: a token that is bound to accounts registers no further one`,
    );
  }

  /**
   * For what is of no account, and of the operator itself.
   * @throws RequestError (FORBIDDEN)
   */
  assertOperators(): void {
    if (this.ids === undefined) return;
    throw new RequestError(
      'FORBIDDEN',
      'a token that is bound to accounts reads nothing of the operator itself',
    );
  }
}

function isAccountId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value < MAX_ACCOUNTS;
}
