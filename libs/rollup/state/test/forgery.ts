import { expect } from '@jest/globals';
import { WitnessError, WitnessSolver, compileCircuit } from '@tetrad/rollup-circuits';
import {
  inboundMoneyOrder,
  multiplyGenerator,
  totalIndex,
  type ConsentTerms,
  type MoneyOrder,
} from '@tetrad/rollup-crypto';
import { seededRandom } from '@tetrad/testkit';
import { changedBalances, type Account } from '../src/account.js';
import { applyBatch, assembleBatch, type AssembledStep } from '../src/batch.js';
import { MemoryState } from '../src/memory-state.js';
import type { RollupOperation } from '../src/rollup-operation.js';
import { RollupUser, deposit, depositOrder } from '../src/testing/rollup-user.js';

export const domain = 4711n;
export const SIZE = 4;
const random = seededRandom(6);
export const draw = () => BigInt(Math.floor(random() * 2 ** 48)) ** 5n;
export const operatorKey = multiplyGenerator(17n);
export const [alice, bob, carol] = [1, 2, 3].map((id) => new RollupUser(id, operatorKey, domain, draw)) as [
  ...[RollupUser, RollupUser, RollupUser],
];
export const MINIMUM = 10n;
/** The consents of the accounts are to token 0 up to this batch. */
export const UNTIL = 8;
export const SECRET = 4n ** 100n;
export const TERMS: ConsentTerms = { minimum: MINIMUM, untilHeight: UNTIL, tokenId: 0, secret: SECRET };

export type Payment = Extract<RollupOperation, { kind: 'createMoneyOrder' }>;
export type Change = Extract<RollupOperation, { kind: 'setConsent' }>;

let solver: WitnessSolver;

/** Compiles the circuit that says which forgeries are taken. */
export async function openSolver(): Promise<void> {
  solver = await WitnessSolver.open(await compileCircuit(SIZE));
}

export function apply(state: MemoryState, ...operations: RollupOperation[]): void {
  const batch = applyBatch(state, { ...state.next, domain, size: SIZE }, operations);
  state.commit(batch);
  expect(batch.results.map(({ status }) => status)).toEqual(operations.map(() => 'EXECUTED'));
}

/** Alice has 100 of token 0 and 50 of token 1; bob and carol have consents, and batch 5 is next. */
export function consented(): MemoryState {
  const state = new MemoryState();
  const [first, second] = [deposit(0, alice, 0, 100n), deposit(1, alice, 1, 50n)];
  apply(state, alice.create(), bob.create(), carol.create());
  apply(state, first, second);
  apply(
    state,
    alice.redeem(depositOrder(first), totalIndex(2, 0), 1),
    alice.redeem(depositOrder(second), totalIndex(2, 1), 2),
  );
  apply(state, bob.setConsent(TERMS, 1), carol.setConsent({ ...TERMS, secret: SECRET + 1n }, 1));
  return state;
}

export const base = consented();

/** What batches are made of: each step is on the state that the steps before it leave. */
export class Forgery {
  private readonly accounts = new Map<number, Account>();
  private readonly steps: (AssembledStep | 'noOp')[] = [];

  constructor(private readonly state = base) {}

  account(id: number): Account {
    return this.accounts.get(id) ?? (this.state.account(id) as Account);
  }

  add(operation: RollupOperation, id: number, change: Partial<Account>, order?: MoneyOrder): this {
    const before = this.account(id);
    const after = { ...before, ...change };
    this.accounts.set(id, after);
    this.steps.push({ operation, effects: { before, after, order } });
    return this;
  }

  pay(payment: Payment): this {
    const { order, nonce } = payment;
    const balances = changedBalances(this.account(order.fromAccountId), order.tokenId, -order.amount);
    return this.add(payment, order.fromAccountId, { nonce, balances }, order);
  }

  /** @param change - what the receiver has afterwards besides the amount */
  credit(order: MoneyOrder, change: Partial<Account> = {}): this {
    const balances = changedBalances(this.account(order.toAccountId), order.tokenId, order.amount);
    return this.add({ kind: 'credit', order }, order.toAccountId, { balances, ...change });
  }

  deposit(operation: ReturnType<typeof deposit>): this {
    const order = inboundMoneyOrder(operation);
    this.steps.push({ operation, effects: { before: undefined, after: undefined, order } });
    return this;
  }

  /** What holds before what follows, true or not. */
  pretend(id: number, change: Partial<Account>): this {
    this.accounts.set(id, { ...this.account(id), ...change });
    return this;
  }

  skip(): this {
    this.steps.push('noOp');
    return this;
  }

  /** Whether the circuit takes it. */
  async isTaken(): Promise<boolean> {
    const { witness } = assembleBatch(this.state, { ...this.state.next, domain, size: SIZE }, this.steps);
    try {
      await solver.solve(witness);
      return true;
    } catch (error) {
      if (!(error instanceof WitnessError)) throw error;
      return false;
    }
  }
}
