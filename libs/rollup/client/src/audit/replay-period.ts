import { parseOperationHeader, type OpenedLeaf, type PublicOperation } from '@tetrad/rollup-circuits';
import {
  CIPHERTEXT_WORDS,
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
      const { nonce, redemptionIndex, balances, leaf } = account;
      this.account = { nonce, redemptionIndex, balances };
      this.leaves.push({ ...leafOf(this.account), leaf });
    }
    for (const [at, order] of this.openings.earlierOrders()) this.orders.set(at, order);
  }

  /** The account after the batches so far. Fails: DisclosureError before it was made */
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
    return batch.headers.flatMap((header, index) => {
      const at = totalIndex(batch.height, index);
      const operation = {
        ...parseOperationHeader(header),
        ...{ leaf: batch.leaves[index] ?? 0n, order: batch.orders[index] ?? 0n, toAddress: 0n },
      };
      const toAddress = batch.recipients[index] ?? parseAddress(`0x${'00'.repeat(20)}`);
      const words = batch.ciphertexts.slice(CIPHERTEXT_WORDS * index, CIPHERTEXT_WORDS * (index + 1));
      const own = this.follow({ at, operation, toAddress });
      const received = this.receive({ at, operation, toAddress }, words);
      return [...own, ...received].map((event) => ({ ...event, totalIndex: at }));
    });
  }

  /** Fails: DisclosureError for an opening of what is not on the chain */
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
        ? { nonce: 0, redemptionIndex: 0, balances: new Map() }
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

  private step({ at, operation, toAddress }: Place, before: AccountTotals): AccountStep {
    const nonce = before.nonce + 1;
    switch (operation.kind) {
      case 'createMoneyOrder':
        return { kind: 'sent', order: this.openings.sent(at, operation.order), nonce };
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

  private incoming({ at, operation }: Place, words: readonly bigint[]): MoneyOrder | undefined {
    if (operation.kind === 'inboundTransfer') {
      const order = inboundMoneyOrder({ ...operation, index: this.deposits });
      this.deposits += 1;
      if (order.toAccountId !== this.viewKey.account.id) return undefined;
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

  /** Counts a text that can be read. Out: it and its key; undefined for another text, and without shared keys */
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
  const { nonce, redemptionIndex } = account;
  return { nonce, redemptionIndex, balancesRoot: balanceTree(account).root };
}

const refusal = (at: number, difference: string) => DisclosureError.ofOperation(at, difference);
