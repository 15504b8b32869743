import { moneyOrderHash, splitTotalIndex, totalIndex, type MoneyOrder } from '@tetrad/rollup-crypto';
import type { Account } from './account.js';
import type { Batch, BatchView } from './batch.js';
import type { ExecutionView } from './execution.js';
import type { NodeWrite } from './merkle-tree.js';

/**
 * The state in memory, whole: for clients that rebuild it from the contract's events, for tests and for measurements. The
 * operator keeps it in PostgreSQL.
 */
export class MemoryState implements BatchView {
  private readonly accounts = new Map<number, Account>();
  private readonly accountNodes = new Map<string, bigint>();
  private readonly historyNodes = new Map<string, bigint>();
  private readonly ordersByHeight = new Map<number, readonly bigint[]>();
  /** Account id → total indexes of the orders it can redeem, ascending. */
  private readonly received = new Map<number, number[]>();
  private height = 0;
  private inbound = 0;

  /** @param hasConsents - whether its contract has consents; those of earlier layouts have none */
  constructor(private readonly hasConsents = true) {}

  /** Height of the next batch, and index of the next deposit. */
  get next(): { readonly height: number; readonly inboundFrom: number; readonly hasConsents: boolean } {
    return { height: this.height + 1, inboundFrom: this.inbound, hasConsents: this.hasConsents };
  }

  /**
   * What the first operation of the next batch is executed on.
   * @param domain - which rollup it is
   */
  executionView(domain: bigint): ExecutionView {
    const { height, hasConsents } = this.next;
    return {
      account: (id) => this.account(id),
      order: (index) => this.order(index),
      hasOpenOrder: (id, after, before) => this.hasOpenOrder(id, after, before),
      credits: hasConsents ? { domain, height, before: undefined } : undefined,
    };
  }

  /**
   * Takes what a batch changes.
   * @throws RangeError when the batch is not the next one
   */
  commit({ publicInputs, results, accounts, accountNodes, historyNodes, orders }: Batch): void {
    if (publicInputs.height !== this.height + 1) throw new RangeError('the batch is not the next one');
    this.height = publicInputs.height;
    this.inbound = publicInputs.inboundTo;
    for (const account of accounts) this.accounts.set(account.id, account);
    write(this.accountNodes, accountNodes);
    write(this.historyNodes, historyNodes);
    this.ordersByHeight.set(this.height, orders);
    for (const result of results) {
      if (result.status !== 'EXECUTED' || result.effects.order === undefined) continue;
      const isCredited = orders[result.index] === 0n;
      if (isCredited) continue;
      this.addReceived(result.effects.order, totalIndex(this.height, result.index));
    }
  }

  account(id: number): Account | undefined {
    return this.accounts.get(id);
  }

  accountNode = (level: number, index: number): bigint | undefined =>
    this.accountNodes.get(`${level}/${index}`);

  historyNode = (level: number, index: number): bigint | undefined =>
    this.historyNodes.get(`${level}/${index}`);

  orders(batchHeight: number): readonly bigint[] {
    return this.ordersByHeight.get(batchHeight) ?? [];
  }

  order(index: number): bigint | undefined {
    const place = splitTotalIndex(index);
    const hash = this.orders(place.batchHeight)[place.index];
    return hash === 0n ? undefined : hash;
  }

  hasOpenOrder(accountId: number, after: number, before: number): boolean {
    return (this.received.get(accountId) ?? []).some((index) => index > after && index < before);
  }

  private addReceived(order: MoneyOrder, index: number): void {
    if (this.order(index) !== moneyOrderHash(order)) throw new RangeError('the order is not in its batch');
    const received = this.received.get(order.toAccountId);
    if (received === undefined) this.received.set(order.toAccountId, [index]);
    else received.push(index);
  }
}

function write(nodes: Map<string, bigint>, writes: readonly NodeWrite[]): void {
  for (const { level, index, hash } of writes) nodes.set(`${level}/${index}`, hash);
}
