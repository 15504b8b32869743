import { parseOperationHeader, type OpenedLeaf, type PublicOperation } from '@tetrad/rollup-circuits';
import {
  CIPHERTEXT_WORDS,
  NO_CONSENT,
  ciphertextFromWords,
  inboundMoneyOrder,
  moneyOrderHash,
  openWithSharedKey,
  totalIndex,
  type MoneyOrder,
  type Point,
} from '@tetrad/rollup-crypto';
import {
  AMOUNT_LIMIT,
  accountAfter,
  balanceTree,
  moneyOrderOfWords,
  type AccountStep,
  type PublicBatch,
} from '@tetrad/rollup-state';
import { parseAddress, type Address } from '@tetrad/types';
import type { AccountTotals } from './audit-report.js';
import { DisclosureError } from './disclosure-error.js';
import { Openings } from './openings.js';
import { VIEW_KEY_LIMITS, type ViewKey } from './view-key.js';

/** A batch as far as it is replayed. */
export interface ReplayedBatch extends PublicBatch {
  readonly recipients: readonly Address[];
  readonly ciphertexts: readonly bigint[];
}

/** What one operation of a batch was to the account. */
export type ReplayedEvent = { readonly totalIndex: number } & (
  { readonly kind: 'created' } | { readonly kind: 'received'; readonly order: MoneyOrder } | AccountStep
);

interface Place {
  readonly at: number;
  readonly operation: PublicOperation;
  readonly toAddress: Address;
  /** The operation before it in the batch: what a credit credits. */
  readonly before: PublicOperation | undefined;
  /** Who is credited by the operation behind it; undefined when that is not a credit. */
  readonly creditedId: number | undefined;
}

/**
 * Goes through the batches of a period with what a view key opens: each operation of the account that is on the chain must be
 * opened, and each opening must be one of them. What leaves say is proved afterwards.
 */
export class PeriodReplay {
  /** What the leaves of the account must be proved to say, in order; the opening one is first. */
  readonly leaves: OpenedLeaf[] = [];
  /** Orders for the account, by total index. */
  readonly orders = new Map<number, MoneyOrder>();
  /** Of the money orders of all accounts whose texts have a form that can be read. */
  readonly ephemerals: Point[] = [];
  private readonly openings: Openings;
  private account: AccountTotals | undefined;
  private deposits: number;

  constructor(private readonly viewKey: ViewKey) {
    this.openings = new Openings(viewKey);
    const { account, deposits } = viewKey.opening;
    this.deposits = deposits;
    if (account !== undefined) {
      const { nonce, redemptionIndex, balances, consent, leaf } = account;
      this.account = { nonce, redemptionIndex, balances, consent };
      this.leaves.push({ ...leafOf(this.account), leaf });
    }
    for (const [at, order] of this.openings.earlierOrders()) this.orders.set(at, order);
  }

  /**
   * The account after the batches so far.
   * @throws DisclosureError before it was made
   */
  get totals(): AccountTotals {
    if (this.account === undefined)
      throw new DisclosureError('the period', 'ends before the account was made');
    return this.account;
  }

  /**
   * Replays the next batch.
   *
   * @param batch - as the contract published it
   * @returns what it was to the account, in order
   * @throws DisclosureError when an operation is not opened, or not what the view key says of it
   */
  apply(batch: ReplayedBatch): ReplayedEvent[] {
    const operations = batch.headers.map((header, index) => ({
      ...parseOperationHeader(header),
      leaf: batch.leaves[index] ?? 0n,
      order: batch.orders[index] ?? 0n,
      toAddress: 0n,
    }));
    return operations.flatMap((operation, index) => {
      const at = totalIndex(batch.height, index);
      const [before, next] = [operations[index - 1], operations[index + 1]];
      const creditedId = next?.kind === 'credit' ? next.accountId : undefined;
      const toAddress = batch.recipients[index] ?? parseAddress(`0x${'00'.repeat(20)}`);
      const words = batch.ciphertexts.slice(CIPHERTEXT_WORDS * index, CIPHERTEXT_WORDS * (index + 1));
      const place = { at, operation, toAddress, before, creditedId };
      const own = this.follow(place);
      const received = this.receive(place, words);
      return [...own, ...received].map((event) => ({ ...event, totalIndex: at }));
    });
  }

  /** @throws DisclosureError for an opening of what is not on the chain */
  finish(): void {
    this.openings.assertUsed();
  }

  private follow(place: Place): (AccountStep | { readonly kind: 'created' })[] {
    const { operation, at } = place;
    if (operation.leaf === 0n || operation.accountId !== this.viewKey.account.id) return [];
    const before = this.account;
    const isCreation = operation.kind === 'createAccount';
    if (isCreation !== (before === undefined))
      throw refusal(at, isCreation ? 'makes the account again' : 'is one of an account that is not made yet');
    if (this.leaves.length > VIEW_KEY_LIMITS.operations)
      throw refusal(at, `is the account's ${this.leaves.length}th`);
    const step = before === undefined ? undefined : this.step(place, before);
    this.account =
      before === undefined || step === undefined
        ? { nonce: 0, redemptionIndex: 0, balances: new Map(), consent: NO_CONSENT }
        : this.after(at, before, step);
    this.leaves.push({ ...leafOf(this.account), leaf: operation.leaf });
    return [step ?? { kind: 'created' }];
  }

  private after(at: number, before: AccountTotals, step: AccountStep): AccountTotals {
    const after = accountAfter(before, step);
    for (const balance of after.balances.values())
      if (balance < 0n || balance >= AMOUNT_LIMIT)
        throw refusal(at, `would leave a balance of ${balance} units`);
    return after;
  }

  private step(place: Place, before: AccountTotals): AccountStep {
    const { at, operation, toAddress, creditedId } = place;
    const nonce = before.nonce + 1;
    switch (operation.kind) {
      case 'createMoneyOrder':
        return { kind: 'sent', order: this.openings.sent(at, { hash: operation.order, creditedId }), nonce };
      case 'setConsent':
        return { kind: 'consentChanged', consent: this.openings.consent(at), terms: undefined, nonce };
      case 'credit':
        return { kind: 'credited', ...this.credited(place) };
      case 'redeemMoneyOrder':
        return { kind: 'redeemed', ...this.redeemed(at, before), nonce };
      case 'outboundTransfer': {
        const { tokenId, amount } = operation;
        const transfer = { toEthereumAddress: toAddress, tokenId, amount };
        this.openings.assertShown(at, transfer);
        return { kind: 'withdrawn', ...transfer, nonce };
      }
      default:
        throw refusal(at, `is a ${operation.kind} with a leaf of the account`);
    }
  }

  /** The balance of the leaf says whether amount and token are right, and the chain who paid. */
  private credited({ at, before }: Place) {
    const { tokenId, amount } = this.openings.credited(at);
    if (before?.kind === 'inboundTransfer') {
      if (before.tokenId !== tokenId || before.amount !== amount)
        throw refusal(at, 'is another credit than the deposit before it');
      return { fromAccountId: 0, tokenId, amount };
    }
    return { fromAccountId: before?.accountId ?? 0, tokenId, amount };
  }

  private redeemed(at: number, { redemptionIndex }: AccountTotals) {
    const orderIndex = this.openings.redeemed(at);
    const order = this.orders.get(orderIndex);
    if (order === undefined) throw refusal(at, `redeems order ${orderIndex}, which is not opened`);
    if (orderIndex <= redemptionIndex) throw refusal(at, `redeems order ${orderIndex} after a later one`);
    this.openings.use(orderIndex);
    return { order, orderIndex };
  }

  private receive(place: Place, words: readonly bigint[]): { kind: 'received'; order: MoneyOrder }[] {
    const order = this.incoming(place, words);
    if (order === undefined) return [];
    this.orders.set(place.at, order);
    if (this.orders.size > VIEW_KEY_LIMITS.received)
      throw refusal(place.at, `is the ${this.orders.size}th order for the account`);
    return [{ kind: 'received', order }];
  }

  private incoming({ at, operation, creditedId }: Place, words: readonly bigint[]): MoneyOrder | undefined {
    if (operation.kind === 'inboundTransfer') {
      const order = inboundMoneyOrder({ ...operation, index: this.deposits });
      this.deposits += 1;
      if (order.toAccountId !== this.viewKey.account.id || creditedId !== undefined) return undefined;
      if (moneyOrderHash(order) !== operation.order)
        throw refusal(at, `is not deposit ${this.deposits - 1}; the number of earlier deposits is wrong`);
      return order;
    }
    if (operation.kind !== 'createMoneyOrder') return undefined;
    const opened = this.openings.received(at, operation);
    if (opened === undefined && this.isForAccount(operation, words))
      throw refusal(at, 'is an order for the account, and the view key leaves it out');
    if (opened !== undefined) this.note(words);
    return opened;
  }

  /** By the key of the text. A text that says an order for another account, or another order, is not one for this. */
  private isForAccount({ order: hash }: PublicOperation, words: readonly bigint[]): boolean {
    const noted = this.note(words);
    if (noted === undefined) return false;
    const order = moneyOrderOfWords(openWithSharedKey(noted.ciphertext, noted.key));
    return order?.toAccountId === this.viewKey.account.id && moneyOrderHash(order) === hash;
  }

  /**
   * Counts a text that can be read.
   * @returns it and its key; undefined for another text, and without shared keys
   */
  private note(words: readonly bigint[]) {
    const ciphertext = ciphertextFromWords(words);
    const { sharedKeys } = this.viewKey;
    if (ciphertext === undefined || sharedKeys === undefined) return undefined;
    const key = sharedKeys.keys[this.ephemerals.length];
    if (key === undefined)
      throw new DisclosureError('sharedKeys.keys', 'are fewer than the money orders of the period');
    this.ephemerals.push(ciphertext.ephemeral);
    return { ciphertext, key };
  }
}

function leafOf(account: AccountTotals): Omit<OpenedLeaf, 'leaf'> {
  const { nonce, redemptionIndex, consent } = account;
  return { nonce, redemptionIndex, balancesRoot: balanceTree(account).root, consent };
}

const refusal = (at: number, difference: string) => DisclosureError.ofOperation(at, difference);
