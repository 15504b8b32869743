import {
  decodeWord,
  type ConsentChange,
  type MoneyOrderCreation,
  type MoneyOrderRedemption,
  type OutboundTransfer,
  type Signature,
} from '@tetrad/rollup-crypto';
import {
  signingAccountId,
  type AccountDetails,
  type StoredAccount,
  type StoredOperation,
  type RollupStore,
} from '@tetrad/rollup-store';
import { RequestError } from '@tetrad/types';
import { accountOpaque, type AccountDirectory } from './account-directory.js';
import { assertServed } from './assert-served.js';
import type { Check } from './check-job.js';
import type { CheckPool } from './check-pool.js';
import { invalidEncryption, invalidSignature } from './operation-reader.js';
import { assertMerkleProof, assertRedeemable } from './redemption-rules.js';
import type { Refusals } from './refusals.js';
import type { TokenDirectory } from './token-directory.js';

export interface AcceptanceParts {
  readonly store: RollupStore;
  readonly pool: CheckPool;
  readonly accounts: AccountDirectory;
  readonly tokens: TokenDirectory;
  readonly refusals: Refusals;
  /** Smallest amount of a money order, in units of the rollup. */
  readonly minOrderAmount: bigint;
  /** Smallest amount of a transfer out that leaves something in the account. */
  readonly minTransferAmount: bigint;
}

type Signed<Operation> = Operation & { readonly signature: Signature };

/** How far above an account's nonce that of an operation may be: so many of them wait at most. */
const NONCE_WINDOW = 1_000;

/**
 * Accepts operations: what is stored here was signed by its account and can be read by who must be able to. What
 * depends on operations before it (nonce, balance) is decided when it is executed.
 */
export class OperationAcceptance {
  /** Whether the contract has consents, once it is known: it never changes. */
  private consents: boolean | undefined;

  constructor(private readonly parts: AcceptanceParts) {}

  /**
   * @returns the operation hash, once the operation is stored
   * @throws RequestError
   */
  async createMoneyOrder(
    operation: Signed<MoneyOrderCreation>,
    randomizationFactor: Uint8Array,
  ): Promise<bigint> {
    const { accounts, tokens, minOrderAmount } = this.parts;
    const { fromAccountId, toAccountId, tokenId, amount } = operation.order;
    if (amount < minOrderAmount) {
      const text = `amount: a money order is of ${minOrderAmount} or more units, not ${amount}`;
      throw new RequestError('AMOUNT_TOO_LOW', text, { minAmount: String(minOrderAmount) });
    }
    if (operation.isDirect === true) await this.assertConsents();
    const from = await accounts.get(fromAccountId);
    const to = await accounts.get(toAccountId);
    await tokens.assertKnown(tokenId);
    await this.account(from, operation.nonce);
    const encryption = { key: to.jointKey, randomizationFactor: decodeWord(randomizationFactor) };
    return this.store({ operation, publicKey: from.publicKey, encryption });
  }

  /**
   * As `createMoneyOrder`.
   * @param merkleProof - siblings from the order to the root of its batch, unless the caller leaves that to us
   */
  async redeemMoneyOrder(
    operation: Signed<MoneyOrderRedemption>,
    randomizationFactor: Uint8Array,
    merkleProof?: readonly bigint[],
  ): Promise<bigint> {
    const { store, accounts, tokens, minOrderAmount } = this.parts;
    const redeemer = await accounts.get(operation.order.toAccountId);
    await tokens.assertKnown(operation.order.tokenId);
    const account = await this.account(redeemer, operation.nonce);
    await assertRedeemable(store, account, operation, minOrderAmount);
    if (merkleProof !== undefined) await assertMerkleProof(store, operation, merkleProof);
    const encryption = { key: redeemer.jointKey, randomizationFactor: decodeWord(randomizationFactor) };
    return this.store({ operation, publicKey: redeemer.publicKey, encryption });
  }

  /** As `createMoneyOrder`. */
  async createOutboundTransfer(operation: Signed<OutboundTransfer>): Promise<bigint> {
    const from = await this.parts.accounts.get(operation.fromAccountId);
    await this.parts.tokens.assertKnown(operation.tokenId);
    const account = await this.account(from, operation.nonce);
    const check = { operation, publicKey: from.publicKey, encryption: undefined };
    return this.store(check, this.tooLow(operation, account));
  }

  /**
   * As `createMoneyOrder`.
   * @param operation - a change whose consent is the one that its terms open (`readConsentChange`)
   */
  async setConsent(operation: Signed<ConsentChange>, randomizationFactor: Uint8Array): Promise<bigint> {
    const { accounts, tokens } = this.parts;
    await this.assertConsents();
    const holder = await accounts.get(operation.accountId);
    if (operation.terms !== undefined) await tokens.assertKnown(operation.terms.tokenId);
    await this.account(holder, operation.nonce);
    const encryption = { key: holder.jointKey, randomizationFactor: decodeWord(randomizationFactor) };
    return this.store({ operation, publicKey: holder.publicKey, encryption });
  }

  private async assertConsents(): Promise<void> {
    if ((this.consents ??= await this.parts.store.findConsents()) === true) return;
    throw new RequestError('CONSENTS_NOT_SUPPORTED', 'the contract of this rollup has no consents');
  }

  /** A minimum must keep no holder in: all that there is can always leave. */
  private tooLow(
    { tokenId, amount }: OutboundTransfer,
    { balances }: StoredAccount,
  ): RequestError | undefined {
    const { minTransferAmount } = this.parts;
    if (amount >= minTransferAmount || amount === balances.get(tokenId)) return undefined;
    const text = `amount: a transfer is of ${minTransferAmount} or more units, or of all that the account has, not ${amount}`;
    return new RequestError('TRANSFER_AMOUNT_TOO_LOW', text, { minAmount: String(minTransferAmount) });
  }

  /** The account as everything that was executed leaves it. */
  private async account({ id }: AccountDetails, nonce: number): Promise<StoredAccount> {
    const account = await this.parts.store.findLatestAccount(id);
    if (account === undefined) throw accountOpaque(id);
    if (nonce > account.nonce + NONCE_WINDOW) {
      const text = `the nonce of account ${id} is ${account.nonce}; ${nonce} is more than ${NONCE_WINDOW} above it`;
      throw new RequestError('NONCE_TOO_HIGH', text, { nonce: account.nonce });
    }
    return account;
  }

  /** @param problem - why it is refused unless it is stored already, as one whose answer was lost */
  private async store(check: Check, problem?: RequestError): Promise<bigint> {
    const { store, pool, refusals } = this.parts;
    await assertServed(store);
    const { hash, fault } = await pool.check(check);
    if (fault === 'INVALID_SIGNATURE') throw invalidSignature('the account has not signed this operation');
    if (fault === 'INVALID_ENCRYPTION') {
      throw invalidEncryption('encrypting with the randomization factor gives another text');
    }
    if (problem !== undefined && !isTaken(await store.findOperation(hash))) throw problem;
    const acceptance = await store.accept({ hash, operation: check.operation });
    if (typeof acceptance === 'object')
      throw await refusals.errorOf(acceptance, `account ${signingAccountId(check.operation)}`);
    return hash;
  }
}

const isTaken = (stored: StoredOperation | undefined) => stored !== undefined && stored.status !== 'REJECTED';
