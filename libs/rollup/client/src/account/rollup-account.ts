import type { RegistrationStatus } from '@tetrad/api-rollup-operator';
import { MAX_TOKENS, AMOUNT_LIMIT, type Account } from '@tetrad/rollup-state';
import {
  MAX_ATTEMPTS,
  NO_CONSENT,
  consentHash,
  encodeWord,
  randomBlindingFactor,
  type ConsentTerms,
  type MoneyOrder,
} from '@tetrad/rollup-crypto';
import { OperatorError, hashFromBytes, type Address, type Hash } from '@tetrad/types';
import type { RollupContract } from '../chain/rollup-contract.js';
import { StateRoots } from '../history/state-roots.js';
import type { RollupKeys } from '../keys/rollup-keys.js';
import type { OperatorClient } from '../operator/operator-client.js';
import {
  consentCall,
  moneyOrderCall,
  outboundTransferCall,
  redemptionCall,
  type OperationCall,
  accountCreationParams,
} from '../operations/operation-call.js';
import {
  signConsentChange,
  signMoneyOrder,
  signOutboundTransfer,
  signRedemption,
  signAccountCreation,
  type RollupParameters,
} from '../operations/sign-operation.js';
import { checkAccountProof, ProofError } from '../proofs/account-proof.js';
import { confirmAccount, confirmMoneyOrder } from '../proofs/confirm-proofs.js';
import { checkMoneyOrderProof } from '../proofs/money-order-proof.js';
import { listReceived, listRedemptions, type ReceivedItem } from '../operator/list-pages.js';
import { findAccount, findOwnAccount } from './account-details.js';
import type { JournalStore } from './journal-store.js';
import { nonceUse } from './next-nonce.js';
import { OperationJournal } from './operation-journal.js';
import { settleOpenOperations, submitOperation, type SettledOperation } from './submit-operation.js';

/** What an account is used with. */
export interface AccountDependencies {
  readonly operator: OperatorClient;
  readonly contract: RollupContract;
  readonly keys: RollupKeys;
  /** Opens where operations are kept that were signed and not answered yet. */
  openJournal(): Promise<JournalStore>;
  /** Block of the contract's creation, or one before. */
  readonly fromBlock: number;
}

/** An operation that the operator has accepted. */
export interface Submitted {
  readonly hash: Hash;
  readonly nonce: number;
}

/** An account of the rollup in the hands of its owner; one process at a time. */
export class RollupAccount {
  private constructor(
    readonly id: number,
    private readonly ownKeys: RollupParameters,
    private readonly dependencies: AccountDependencies,
    private readonly journal: OperationJournal,
    private readonly roots: StateRoots,
  ) {}

  /** @throws OperatorError when the account is not final yet; FolderInUseError when another process uses it */
  static async open(surroundings: AccountDependencies): Promise<RollupAccount> {
    const { operator, contract, keys } = surroundings;
    const own = await findOwnAccount(operator, contract, keys);
    if (own === undefined)
      throw new OperatorError('these keys have no account in the rollup, or it is not final yet');
    const owner = { domain: contract.domain, accountId: own.id };
    const journal = await OperationJournal.open(await surroundings.openJournal(), owner);
    // Of the time in which the account was made: its own texts are to the same reader as then.
    const ownKeys = { domain: contract.domain, operatorKey: own.jointKey.operator };
    const roots = new StateRoots(contract, surroundings.fromBlock);
    return new RollupAccount(own.id, ownKeys, surroundings, journal, roots);
  }

  close(): Promise<void> {
    return this.journal.close();
  }

  /**
   * Finds out about operations whose answer was lost, and submits those that did not arrive.
   * @throws OutcomeUnknownError
   */
  settle(): Promise<SettledOperation[]> {
    return settleOpenOperations(this.dependencies.operator, this.journal);
  }

  /**
   * The latest final state, proved against the contract.
   * @returns it, and the height of the batch
   * @throws ProofError
   */
  async state(): Promise<{ readonly account: Account; readonly height: number }> {
    const { operator, contract } = this.dependencies;
    const proved = checkAccountProof(
      contract.hasConsents
        ? await operator.call('rollup_getAccountState', [this.id])
        : await operator.call('pazkp_getAccountState', [this.id]),
    );
    if (proved.account.id !== this.id)
      throw new ProofError('the operator returned the state of another account');
    const { consent = NO_CONSENT, consentTerms } = proved.account;
    if (consentHash(contract.domain, consentTerms) !== consent)
      throw new ProofError('what the operator says of the consent does not open that of the account');
    return { account: proved.account, height: await confirmAccount(contract, proved, this.roots) };
  }

  /**
   * A received order, proved against the contract.
   * @throws ProofError; OperatorError when it does not exist
   */
  async received(totalIndex: number): Promise<MoneyOrder> {
    const { operator, contract, fromBlock } = this.dependencies;
    const view = await operator.call('pazkp_findReceivedMoneyOrder', [this.id, totalIndex]);
    if (view === null) throw new OperatorError(`the account has received no order ${totalIndex}`);
    const proved = checkMoneyOrderProof({ ...view, moneyOrderTotalIndex: totalIndex });
    if (proved.order.toAccountId !== this.id) throw new ProofError('the order is for another account');
    await confirmMoneyOrder(contract, proved, { fromBlock });
    return proved.order;
  }

  /** Orders that can be redeemed and that no redemption waits for, in the order in which they must be; none of amount 0. */
  async *redeemable(): AsyncGenerator<ReceivedItem> {
    const { operator } = this.dependencies;
    const { nonce } = await operator.call('pazkp_getAccountNonce', [this.id]);
    const waiting = new Set<number>();
    for await (const item of listRedemptions(operator, { accountId: this.id, fromNonce: nonce + 1 })) {
      const index = item.moneyOrderTotalIndex;
      if (item.status !== 'REJECTED' && index !== null && index !== undefined) waiting.add(index);
    }
    for await (const item of listReceived(operator, { accountId: this.id, status: 'AVAILABLE_TO_REDEEM' }))
      if (item.moneyOrder.amount > 0n && !waiting.has(item.moneyOrderTotalIndex)) yield item;
  }

  /**
   * Pays another account.
   * @param payment - units of the rollup
   * @throws RpcCallError when refused; OutcomeUnknownError; OperatorError
   */
  async send(payment: {
    readonly toAccountId: number;
    readonly tokenId: number;
    readonly amount: bigint;
    /** Whether it may be credited where its receiver has a consent: payer and receiver are public then. */
    readonly isDirect?: boolean;
  }): Promise<Submitted> {
    const { operator, contract, keys } = this.dependencies;
    checkAmount(payment);
    if (payment.isDirect === true) this.assertConsents();
    const { jointKey } = await findAccount(operator, contract, payment.toAccountId);
    return this.submit((nonce, attempt) => {
      if (attempt >= MAX_ATTEMPTS) throw new OperatorError(attemptsUsed(nonce));
      const signed = signMoneyOrder(contract, keys, {
        ...payment,
        fromAccountId: this.id,
        toJointKey: jointKey,
        nonce,
        attempt,
      });
      return [signed.hash, moneyOrderCall(signed)];
    });
  }

  /**
   * Turns a received order into balance; the order is checked before.
   * @throws as `received` and `send`
   */
  async redeem(totalIndex: number): Promise<Submitted> {
    const { ownKeys } = this;
    const { keys } = this.dependencies;
    const order = await this.received(totalIndex);
    checkAmount(order);
    return this.submit((nonce) => {
      const signed = signRedemption(ownKeys, keys, { order, totalIndex, nonce });
      return [signed.hash, redemptionCall(signed)];
    });
  }

  /**
   * Pays an Ethereum address from the account.
   * @param transfer - units of the rollup
   * @throws as `send`
   */
  async withdraw(transfer: {
    readonly toEthereumAddress: Address;
    readonly tokenId: number;
    readonly amount: bigint;
  }): Promise<Submitted> {
    const { contract, keys } = this.dependencies;
    checkAmount(transfer);
    return this.submit((nonce) => {
      const signed = signOutboundTransfer(contract, keys, { ...transfer, fromAccountId: this.id, nonce });
      return [signed.hash, outboundTransferCall(signed)];
    });
  }

  /**
   * Lets payments and deposits of a token be credited at once, in place of what the account let before.
   *
   * @param terms - which, and up to which batch; its secret is drawn here
   * @returns the operation that the operator has accepted
   * @throws as `send`; OperatorError for a contract without consents
   */
  async setConsent(terms: Omit<ConsentTerms, 'secret'>): Promise<Submitted> {
    const { tokenId, minimum, untilHeight } = terms;
    if (tokenId < 0 || tokenId >= MAX_TOKENS) throw new OperatorError(UNKNOWN_TOKEN);
    if (minimum < 0n || minimum >= AMOUNT_LIMIT)
      throw new OperatorError(`minimum: must be below 2^64 units of the rollup, not ${minimum}`);
    if (!Number.isInteger(untilHeight) || untilHeight < 1 || untilHeight >= 2 ** 32)
      throw new OperatorError(`until: must be the height of a batch below 2^32, not ${untilHeight}`);
    return this.changeConsent({ ...terms, secret: randomBlindingFactor() });
  }

  /**
   * Ends the consent of the account.
   * @throws as `setConsent`
   */
  revokeConsent(): Promise<Submitted> {
    return this.changeConsent(undefined);
  }

  private async changeConsent(terms: ConsentTerms | undefined): Promise<Submitted> {
    const { ownKeys, id: accountId } = this;
    const { keys } = this.dependencies;
    this.assertConsents();
    return this.submit((nonce) => {
      const signed = signConsentChange(ownKeys, keys, { accountId, terms, nonce });
      return [signed.hash, consentCall(signed)];
    });
  }

  private assertConsents(): void {
    if (!this.dependencies.contract.hasConsents)
      throw new OperatorError('the contract of this rollup has no consents: nothing can be credited');
  }

  private async submit(
    make: (nonce: number, attempt: number) => readonly [hash: bigint, call: OperationCall],
  ): Promise<Submitted> {
    if (this.journal.open.length > 0)
      throw new OperatorError('an earlier operation is not settled; nothing else is signed until it is');
    const { operator, contract } = this.dependencies;
    const { current, next: nonce, attempts: seen } = await nonceUse(operator, this.id, contract.hasConsents);
    await this.journal.prune(current);
    const attempt = Math.max(seen, this.journal.attempts(nonce));
    const [word, call] = make(nonce, attempt);
    const operation = { hash: hashFromBytes(encodeWord(word)), nonce, call };
    await this.journal.record(operation, attempt + 1);
    await submitOperation(operator, this.journal, operation);
    return { hash: operation.hash, nonce };
  }
}

/** A later one could not be found again on the chain. An operation that is not a money order takes the nonce as well. */
const attemptsUsed = (nonce: number) =>
  `${MAX_ATTEMPTS} operations were signed with nonce ${nonce} already; redeem or withdraw something first`;

const UNKNOWN_TOKEN = `token ids are from 0 to ${MAX_TOKENS - 1}`;

function checkAmount({ tokenId, amount }: { readonly tokenId: number; readonly amount: bigint }): void {
  if (amount < 1n || amount >= AMOUNT_LIMIT)
    throw new OperatorError(`amount: must be from 1 to 2^64 - 1 units of the rollup, not ${amount}`);
  if (tokenId < 0 || tokenId >= MAX_TOKENS) throw new OperatorError(UNKNOWN_TOKEN);
}

/** Asks the operator for an account of these keys; it has an id once its batch is final. */
export async function registerAccount(
  operator: OperatorClient,
  rollup: RollupParameters,
  keys: RollupKeys,
): Promise<RegistrationStatus> {
  const params = accountCreationParams(signAccountCreation(rollup, keys));
  return (await operator.call('pazkp_createAccount', params)).status;
}
