import {
  ciphertextWords,
  claimHash,
  multiplyGenerator,
  rollupDomain,
  sign,
  totalIndex,
  type MoneyOrder,
} from '@tetrad/rollup-crypto';
import {
  MemoryState,
  applyBatch,
  proveAccount,
  proveBalance,
  proveOrder,
  type RollupOperation,
} from '@tetrad/rollup-state';
import { seededRandom } from '@tetrad/testkit';
import type { Address, Hex } from '@tetrad/types';
import { publishedBatch } from '../src/contract/published-batch.js';
import type { RollupEvent } from '../src/contract/rollup-events.js';
import { stateProofValues } from '../src/contract/state-proofs.js';
import { RollupUser, deposit, depositOrder } from '../../state/src/testing/rollup-user.js';
import { ANNOUNCEMENT, AgreeingRollup, SIZE, UNIT, type DeployOptions } from './agreeing-rollup.js';
import type { Receipt, TestChain } from './anvil-chain.js';

/** A receipt, or the name of the error with which the contract refuses. */
export type Outcome = Receipt | string;

export interface OpenOrder {
  readonly order: MoneyOrder;
  readonly totalIndex: number;
}

/** A rollup with a true state and holders, over a verifier to which every proof holds. */
export class GameRollup {
  readonly state = new MemoryState();
  readonly users: RollupUser[] = [];
  private readonly random = seededRandom(5);

  private constructor(
    readonly rollup: AgreeingRollup,
    readonly operator: Address,
  ) {}

  static async deploy(
    chain: TestChain,
    { holders = 3, ...options }: { readonly holders?: number } & DeployOptions = {},
  ): Promise<GameRollup> {
    const rollup = await AgreeingRollup.deploy(chain, options);
    const game = new GameRollup(rollup, chain.accounts[0] as Address);
    for (let index = 0; index < holders; index += 1) game.addUser();
    for (let first = 0; first < holders; first += SIZE)
      await game.make(game.users.slice(first, first + SIZE).map((user) => user.create()));
    return game;
  }

  private addUser(): void {
    const draw = () => BigInt(Math.floor(this.random() * 2 ** 48)) ** 5n;
    const domain = rollupDomain(this.rollup.chain.chainId, this.rollup.contract);
    this.users.push(new RollupUser(this.users.length + 1, multiplyGenerator(99n), domain, draw));
  }

  user(id: number): RollupUser {
    return this.users[id - 1] as RollupUser;
  }

  account(id: number) {
    const account = this.state.account(id);
    if (account === undefined) throw new Error(`there is no account ${id}`);
    return account;
  }

  /** A batch as call data, and what follows it. */
  prepare(operations: readonly RollupOperation[]): { readonly batch: Hex; readonly commit: () => void } {
    const plan = { ...this.state.next, domain: this.user(1).domain, size: SIZE };
    const batch = applyBatch(this.state, plan, operations);
    const failed = batch.results.find(({ status }) => status !== 'EXECUTED');
    if (failed !== undefined) throw new Error(JSON.stringify(failed));
    const published = publishedBatch(batch.publicInputs, batch.ciphertexts);
    return {
      batch: this.rollup.codec.encodeSubmitBatch(published, new Uint8Array()),
      commit: () => this.state.commit(batch),
    };
  }

  /** A batch of the operator's; the state follows when it is accepted. */
  async submit(operations: readonly RollupOperation[], from = this.operator): Promise<Outcome> {
    const { batch, commit } = this.prepare(operations);
    const outcome = await this.rollup.sendData(from, batch);
    if (typeof outcome !== 'string') commit();
    return outcome;
  }

  /** The same, which must be accepted. */
  async make(operations: readonly RollupOperation[]): Promise<Receipt> {
    const outcome = await this.submit(operations);
    if (typeof outcome === 'string') throw new Error(outcome);
    return outcome;
  }

  /** Deposits ether for an account. */
  register(from: Address, id: number, amount: bigint): Promise<Outcome> {
    return this.rollup.send(from, 'registerInboundTransferETH', [id], amount * UNIT);
  }

  /**
   * Deposits, and takes the deposit.
   * @returns the order that it became
   */
  async give(from: Address, id: number, amount: bigint): Promise<OpenOrder> {
    const registered = await this.register(from, id, amount);
    if (typeof registered === 'string') throw new Error(registered);
    const transfer = deposit(this.state.next.inboundFrom, this.user(id), 0, amount);
    const index = totalIndex(this.state.next.height, 0);
    await this.make([transfer]);
    return { order: depositOrder(transfer), totalIndex: index };
  }

  /** The same with the redemption: the account has the amount in its balance. */
  async fund(from: Address, id: number, amount: bigint): Promise<void> {
    const { order, totalIndex: index } = await this.give(from, id, amount);
    await this.make([this.user(id).redeem(order, index, this.account(id).nonce + 1)]);
  }

  transferOut(id: number, to: Address, amount: bigint): RollupOperation {
    return this.user(id).transferOut(to, 0, amount, this.account(id).nonce + 1);
  }

  /** Values of `requestTransfer` for the present state. */
  transferRequest(
    id: number,
    { to, amount, height = this.height }: { to: Address; amount: bigint; height?: number },
  ): readonly unknown[] {
    const operation = this.transferOut(id, to, amount);
    if (operation.kind !== 'outboundTransfer') throw new Error('no transfer');
    const { signature } = operation;
    return [height, stateProofValues.transfer({ ...this.proofs(id), amount, recipient: to, signature })];
  }

  redemptionRequest(id: number, open: OpenOrder): readonly unknown[] {
    const operation = this.user(id).redeem(open.order, open.totalIndex, this.account(id).nonce + 1);
    if (operation.kind !== 'redeemMoneyOrder') throw new Error('no redemption');
    const { signature, ciphertext } = operation;
    const order = proveOrder(this.state, open);
    const text = ciphertextWords(ciphertext);
    return [this.height, stateProofValues.redemption({ ...this.proofs(id), order, text, signature })];
  }

  claim(id: number, recipient: Address): readonly unknown[] {
    const { secretKey, domain } = this.user(id);
    const signature = sign(secretKey, claimHash(domain, { accountId: id, recipient }));
    return [stateProofValues.claim({ account: this.proofs(id).account, recipient, signature })];
  }

  balances(id: number, tokenIds: readonly number[] = [0]): readonly unknown[] {
    const prove = (tokenId: number) => stateProofValues.balance(proveBalance(this.account(id), tokenId));
    return [id, tokenIds.map(prove)];
  }

  orders(id: number, open: readonly OpenOrder[]): readonly unknown[] {
    return [id, open.map((each) => stateProofValues.order(proveOrder(this.state, each)))];
  }

  private proofs(id: number) {
    const account = this.account(id);
    return { account: proveAccount(this.state, account), balance: proveBalance(account, 0) };
  }

  /**
   * Announces the freeze by what is overdue, an account's request or a deposit with an index, and freezes.
   * @returns of the last call
   */
  async freeze(from: Address, by: 'Request' | 'Deposit', index: number): Promise<Outcome> {
    const announced = await this.rollup.send(from, `announceBy${by}`, [index]);
    if (typeof announced === 'string') return announced;
    await this.rollup.passUntil((await this.rollup.now()) + ANNOUNCEMENT);
    return this.rollup.send(from, `freezeBy${by}`, [index]);
  }

  get height(): number {
    return this.state.next.height - 1;
  }

  /** Unix time in seconds; 0 when no request is open. */
  async overdueAt(id: number): Promise<number> {
    return Number((await this.rollup.read('overdueAt', [id]))[0]);
  }

  eventsOf(outcome: Outcome): RollupEvent[] {
    if (typeof outcome === 'string') throw new Error(outcome);
    return outcome.logs.flatMap((log) => this.rollup.codec.parseLog(log) ?? []);
  }
}
