import { moneyOrderHash, splitTotalIndex, type MoneyOrder } from '@tetrad/rollup-crypto';
import { DisclosureError } from './disclosure-error.js';
import type { OpenedConsent, OpenedCredit, OpenedReceipt, ShownTransfer, ViewKey } from './view-key.js';

/** What a view key opens, by operation; each opening must be of an operation that is there, and is taken once. */
export class Openings {
  private readonly sentAt: Map<number, ViewKey['sent'][number]>;
  private readonly redeemedAt: Map<number, number>;
  private readonly withdrawnAt: Map<number, ShownTransfer>;
  private readonly receivedAt: Map<number, OpenedReceipt>;
  private readonly consentAt: Map<number, OpenedConsent>;
  private readonly creditedAt: Map<number, OpenedCredit>;
  private readonly used = new Set<number>();

  constructor(private readonly viewKey: ViewKey) {
    this.sentAt = byPlace(viewKey.sent, 'sent');
    this.withdrawnAt = byPlace(viewKey.withdrawn, 'withdrawn');
    this.receivedAt = byPlace(viewKey.received, 'received');
    this.consentAt = byPlace(viewKey.consents, 'consents');
    this.creditedAt = byPlace(viewKey.credited, 'credited');
    const redeemed = byPlace(viewKey.redeemed, 'redeemed');
    this.redeemedAt = new Map([...redeemed].map(([at, { orderIndex }]) => [at, orderIndex]));
  }

  /**
   * Orders from before the period, of which the view key has a proof each.
   * @throws DisclosureError for one without
   */
  earlierOrders(): [number, MoneyOrder][] {
    const earlier = [...this.receivedAt.values()].filter((receipt) => this.isEarlier(receipt.at));
    for (const { at, proof } of earlier)
      if (proof === undefined) throw refused(at, 'was made before the period, and has no proof');
    for (const { at, proof } of this.receivedAt.values())
      if (proof !== undefined && !this.isEarlier(at)) throw refused(at, 'is in the period, and has a proof');
    return earlier.map((receipt) => [receipt.at, this.orderOf(receipt)]);
  }

  /**
   * A payment of the account.
   *
   * @param at - its total index
   * @param made - the hash that the chain has of it, or 0 and who is credited
   * @returns the order
   * @throws DisclosureError when it is not opened, or another order
   */
  sent(at: number, made: { readonly hash: bigint; readonly creditedId: number | undefined }): MoneyOrder {
    const opening = take(this.sentAt, at);
    if (opening === undefined)
      throw refused(at, 'is a payment of the account, and the view key leaves it out');
    const { toAccountId, tokenId, amount, blindingFactor } = opening;
    const fromAccountId = this.viewKey.account.id;
    const order = { fromAccountId, toAccountId, tokenId, amount, blindingFactor };
    const isSame =
      made.creditedId === undefined ? moneyOrderHash(order) === made.hash : toAccountId === made.creditedId;
    if (!isSame) throw refused(at, 'is another payment than the view key says');
    return order;
  }

  /**
   * @returns the word of the leaf
   * @throws DisclosureError when it is not opened
   */
  consent(at: number): bigint {
    const opening = take(this.consentAt, at);
    if (opening === undefined)
      throw refused(at, 'changes the consent of the account, and the view key leaves it out');
    return opening.consent;
  }

  /** @throws DisclosureError when it is not opened */
  credited(at: number): OpenedCredit {
    const opening = take(this.creditedAt, at);
    if (opening === undefined)
      throw refused(at, 'is a credit to the account, and the view key leaves it out');
    return opening;
  }

  /**
   * @returns total index of the order
   * @throws DisclosureError when it is not opened
   */
  redeemed(at: number): number {
    const orderIndex = take(this.redeemedAt, at);
    if (orderIndex === undefined)
      throw refused(at, 'is a redemption of the account, and the view key leaves it out');
    return orderIndex;
  }

  /** @throws DisclosureError when holder and client do not say the same */
  assertShown(at: number, transfer: Omit<ShownTransfer, 'at'>): void {
    const shown = take(this.withdrawnAt, at);
    const isSame =
      shown?.toEthereumAddress === transfer.toEthereumAddress &&
      shown.tokenId === transfer.tokenId &&
      shown.amount === transfer.amount;
    if (!isSame) throw refused(at, 'is another transfer out than the view key says');
  }

  /**
   * @returns undefined when it is not opened
   * @throws DisclosureError for another order than is there
   */
  received(at: number, made: { readonly order: bigint; readonly accountId: number }): MoneyOrder | undefined {
    const receipt = this.receivedAt.get(at);
    if (receipt === undefined) return undefined;
    this.used.add(at);
    const order = this.orderOf(receipt);
    if (moneyOrderHash(order) !== made.order || order.fromAccountId !== made.accountId)
      throw refused(at, 'is another order than the view key says');
    return order;
  }

  /** An order from before the period is there because it is redeemed. */
  use(orderIndex: number): void {
    this.used.add(orderIndex);
  }

  /** @throws DisclosureError for an opening of what is not there */
  assertUsed(): void {
    const opened = [this.sentAt, this.redeemedAt, this.withdrawnAt, this.consentAt, this.creditedAt];
    const rest = opened.flatMap((left) => [...left.keys()]);
    const unused = [...this.receivedAt.keys()].filter((at) => !this.used.has(at));
    const [at] = [...rest, ...unused];
    if (at !== undefined) throw refused(at, 'is no operation of the account in the period');
  }

  private isEarlier(at: number): boolean {
    return splitTotalIndex(at).batchHeight < this.viewKey.period.from;
  }

  private orderOf({ fromAccountId, tokenId, amount, blindingFactor }: OpenedReceipt): MoneyOrder {
    return { fromAccountId, toAccountId: this.viewKey.account.id, tokenId, amount, blindingFactor };
  }
}

function take<Value>(left: Map<number, Value>, at: number): Value | undefined {
  const value = left.get(at);
  left.delete(at);
  return value;
}

function byPlace<Opening extends { readonly at: number }>(
  openings: readonly Opening[],
  list: string,
): Map<number, Opening> {
  const places = new Map(openings.map((opening) => [opening.at, opening]));
  if (places.size !== openings.length) throw new DisclosureError(list, 'opens an operation twice');
  return places;
}

const refused = (at: number, difference: string) => DisclosureError.ofOperation(at, difference);
