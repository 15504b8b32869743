import { multiplyGenerator, totalIndex, type MoneyOrder } from '@tetrad/rollup-crypto';
import { applyBatch, type Batch } from '../batch.js';
import { MemoryState } from '../memory-state.js';
import type { RollupOperation } from '../rollup-operation.js';
import { creditedOperations } from './credited-operations.js';
import { RollupUser, deposit } from './rollup-user.js';

/** Which rollup it is. */
export const DOMAIN = 31337n;
const OPERATOR_KEY = multiplyGenerator(23n);
const TOKENS = 3;
const ADDRESS = '0xca843569e3427144cead5e4d5999a3d0ccf92b8e';

export interface RandomOptions {
  /** Whether the texts of creations say all that there is of an account. */
  readonly saysAll?: boolean;
  /** Whether its users give consents, and payments are credited by them. */
  readonly hasConsents?: boolean;
}

interface OpenOrder {
  readonly order: MoneyOrder;
  readonly index: number;
}

/**
 * A rollup with a few users who do what comes to their minds: most of it can be done, some of it cannot. What they have
 * is kept in the simplest way there is, apart from the state machine, so that the two can be compared.
 */
export class RandomRollup {
  readonly state = new MemoryState();
  private readonly users: RollupUser[] = [];
  private readonly open = new Map<number, OpenOrder[]>();
  /** Token id → what came in less what went out. */
  readonly held = new Map<number, bigint>();

  constructor(
    private readonly random: () => number,
    private readonly size: number,
    private readonly options: RandomOptions = {},
  ) {}

  /**
   * Applies one batch of random operations.
   * @param agree - who is asked to agree, before the state changes
   */
  async step(agree: (batch: Batch, operations: readonly RollupOperation[]) => Promise<void>): Promise<Batch> {
    const [batch, operations] = this.apply(applyBatch);
    await agree(batch, operations);
    this.state.commit(batch);
    this.follow(batch, operations);
    return batch;
  }

  /** The same with another way to apply the batch. */
  stepWith(apply: typeof applyBatch): Batch {
    const [batch, operations] = this.apply(apply);
    this.state.commit(batch);
    this.follow(batch, operations);
    return batch;
  }

  private apply(apply: typeof applyBatch): [Batch, readonly RollupOperation[]] {
    const plan = { ...this.state.next, domain: DOMAIN, size: this.size };
    const drawn = Array.from({ length: this.size }, () => this.operation());
    const numbered = this.numbered(drawn, plan.inboundFrom);
    const operations =
      this.options.hasConsents === true
        ? creditedOperations(this.state, plan, numbered, () => this.random() < 0.8)
        : numbered;
    return [apply(this.state, plan, operations), operations];
  }

  /** Token id → balances of all accounts and open orders together. */
  total(tokenId: number): bigint {
    const orders = [...this.open.values()].flat().filter(({ order }) => order.tokenId === tokenId);
    const balances = this.users.map(({ id }) => this.state.account(id)?.balances.get(tokenId) ?? 0n);
    return [...balances, ...orders.map(({ order }) => order.amount)].reduce(
      (sum, amount) => sum + amount,
      0n,
    );
  }

  private operation(): RollupOperation {
    if (this.users.length < 2 || (this.users.length < 5 && this.random() < 0.1)) return this.create();
    const user = this.pick(this.users);
    const account = this.state.account(user.id);
    if (account === undefined) return this.withoutAccount(user);
    const nonce = account.nonce + (this.random() < 0.1 ? 0 : 1);
    const tokenId = this.below(TOKENS);
    if (this.options.hasConsents === true && this.random() < 0.4) return this.byConsents(user, nonce);
    const choice = this.random();
    if (choice < 0.3) return this.deposit(user);
    if (choice < 0.6) return this.redeem(user, nonce) ?? this.deposit(user);
    const balance = account.balances.get(tokenId) ?? 0n;
    const amount = this.random() < 0.1 ? balance + 1n : BigInt(this.below(Number(balance) + 1));
    if (choice < 0.85) return user.pay(this.pick(this.users), tokenId, amount, nonce);
    return user.transferOut(ADDRESS, tokenId, amount, nonce);
  }

  private create(): RollupOperation {
    const id = this.users.length + 1;
    const user = new RollupUser(
      id,
      OPERATOR_KEY,
      DOMAIN,
      () => BigInt(Math.floor(this.random() * 2 ** 48)) ** 5n,
    );
    this.users.push(user);
    return this.register(user);
  }

  private register(user: RollupUser): RollupOperation {
    return this.options.saysAll === true ? user.create() : user.create(user.creationWords.slice(0, 1));
  }

  /** Where credits take the places, a creation may have had none. */
  private withoutAccount(user: RollupUser): RollupOperation {
    if (this.options.hasConsents === true && this.random() < 0.5) return this.register(user);
    return this.deposit(this.pick(this.users));
  }

  /** A consent, its end, or what may be credited, mostly by a consent that there is. */
  private byConsents(user: RollupUser, nonce: number): RollupOperation {
    const choice = this.random();
    if (choice < 0.1) return user.setConsent(undefined, nonce);
    const token = this.below(TOKENS);
    if (choice < 0.4) {
      const untilHeight = this.state.next.height + 1 + this.below(20);
      return user.setConsent({ minimum: BigInt(this.below(200)), untilHeight, tokenId: token }, nonce);
    }
    const consented = this.users.filter(({ id }) => this.state.account(id)?.consentTerms !== undefined);
    const to = this.pick(consented.length === 0 ? this.users : consented);
    const tokenId = this.state.account(to.id)?.consentTerms?.tokenId ?? token;
    if (choice < 0.7) return this.deposit(to, tokenId);
    const balance = this.state.account(user.id)?.balances.get(tokenId) ?? 0n;
    return user.payDirectly(to, tokenId, BigInt(this.below(Number(balance) + 1)), nonce);
  }

  private deposit(user: RollupUser, tokenId = this.below(TOKENS)): RollupOperation {
    return deposit(0, user, tokenId, BigInt(this.below(1_000_000) + 1));
  }

  private redeem(user: RollupUser, nonce: number): RollupOperation | undefined {
    const open = this.open.get(user.id) ?? [];
    if (open.length === 0) return undefined;
    // Mostly the earliest, as it should be.
    const { order, index } = this.random() < 0.9 ? (open[0] as OpenOrder) : this.pick(open);
    return user.redeem(order, this.random() < 0.05 ? index + 1 : index, nonce);
  }

  /** Deposits get their index when it is known which place they have. */
  private numbered(operations: RollupOperation[], first: number): RollupOperation[] {
    let next = first;
    operations.forEach((operation, place) => {
      if (operation.kind === 'inboundTransfer') operations[place] = { ...operation, index: next++ };
    });
    return operations;
  }

  private follow({ results, publicInputs }: Batch, operations: readonly RollupOperation[]): void {
    results.forEach((result, place) => {
      if (result.status !== 'EXECUTED') return;
      const operation = operations[place] as RollupOperation;
      if (operation.kind === 'inboundTransfer') this.hold(operation.tokenId, operation.amount);
      if (operation.kind === 'outboundTransfer') this.hold(operation.tokenId, -operation.amount);
      if (operation.kind === 'redeemMoneyOrder') {
        const { toAccountId } = operation.order;
        const left = (this.open.get(toAccountId) ?? []).filter(({ index }) => index !== operation.totalIndex);
        this.open.set(toAccountId, left);
      }
      const { order } = result.effects;
      if (order === undefined || publicInputs.operations[result.index]?.order === 0n) return;
      const open = { order, index: totalIndex(publicInputs.height, result.index) };
      this.open.set(order.toAccountId, [...(this.open.get(order.toAccountId) ?? []), open]);
    });
  }

  private hold(tokenId: number, change: bigint): void {
    this.held.set(tokenId, (this.held.get(tokenId) ?? 0n) + change);
  }

  private below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  private pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }
}
