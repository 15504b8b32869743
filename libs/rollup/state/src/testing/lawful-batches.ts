import {
  FIELD_MODULUS,
  ciphertextHash,
  deriveRandomizationFactor,
  encrypt,
  hashWords,
  moneyOrderWords,
  multiplyGenerator,
  operationHash,
  operationPlaintext,
  sign,
  totalIndex,
  type Ciphertext,
  type ConsentTerms,
  type MoneyOrder,
  type SignedKind,
} from '@tetrad/rollup-crypto';
import { parseAddress } from '@tetrad/types';
import { balanceOf, isReadable, type Account } from '../account.js';
import { assembleBatch, type AssembledStep, type Batch } from '../batch.js';
import { directOrder, isCreditable, type CreditBatch } from '../credit.js';
import { executeOperation, type ExecutionView } from '../execution.js';
import { MemoryState } from '../memory-state.js';
import type { RollupOperation } from '../rollup-operation.js';
import { DOMAIN } from './random-rollup.js';
import { RollupUser, deposit, type Consented } from './rollup-user.js';

const OPERATOR_KEY = multiplyGenerator(23n);
const ADDRESS = parseAddress('0xca843569e3427144cead5e4d5999a3d0ccf92b8e');
const TOKENS = 2;
/** Above all possible account ids, and above 31 bits. */
const UNUSED_ID = 2 ** 31 + 7;

interface Holder {
  readonly user: RollupUser;
  /** Registers with the operator, and writes texts that say what they should. */
  readonly isHonest: boolean;
}

/**
 * Batches as any submitter may make them to serve something overdue: valid for circuit and contract, but unlike those of an
 * operator. No-ops are at any position; ciphertexts of dishonest holders are empty, false or invalid; accounts are created
 * with keys that are not registered.
 */
export class LawfulBatches {
  /** The state as the submitters of the batches know it. */
  readonly state = new MemoryState();
  private readonly holders: Holder[] = [];
  private readonly open = new Map<number, { readonly order: MoneyOrder; readonly index: number }[]>();
  private now = new Map<number, Account>();
  private inbound = 0;
  /** What the next operation may credit. */
  private direct: MoneyOrder | undefined;

  constructor(
    private readonly random: () => number,
    private readonly size: number,
  ) {}

  get honest(): readonly RollupUser[] {
    return this.holders.filter(({ isHonest }) => isHonest).map(({ user }) => user);
  }

  /** The next batch, and the operations in it. */
  next(): { readonly batch: Batch; readonly operations: readonly RollupOperation[] } {
    const plan = { ...this.state.next, domain: DOMAIN, size: this.size };
    this.now = new Map();
    this.inbound = plan.inboundFrom;
    this.direct = undefined;
    const steps = Array.from({ length: this.size }, () => this.step());
    const batch = assembleBatch(this.state, plan, steps);
    this.state.commit(batch);
    for (const [index, step] of steps.entries())
      if (batch.orders[index] !== 0n) this.follow(totalIndex(plan.height, index), step);
    const operations = steps.flatMap((step) => (step === 'noOp' ? [] : [step.operation]));
    return { batch, operations };
  }

  private step(): AssembledStep | 'noOp' {
    const credit = this.credit();
    if (credit === undefined && this.random() < 0.2) return this.skip();
    const operation = credit ?? this.operation();
    const execution = executeOperation(this.view, operation);
    if (execution.status !== 'EXECUTED') return this.skip();
    const { effects } = execution;
    this.direct = directOrder(operation);
    if (effects.after !== undefined && isReadable(effects.after))
      this.now.set(effects.after.id, effects.after);
    if (operation.kind === 'inboundTransfer') this.inbound += 1;
    return { operation, effects };
  }

  private skip(): 'noOp' {
    this.direct = undefined;
    return 'noOp';
  }

  /** Of the operation before, mostly where it may be. */
  private credit(): RollupOperation | undefined {
    const order = this.direct;
    const receiver = order === undefined ? undefined : this.view.account(order.toAccountId);
    if (order === undefined || receiver === undefined || this.random() < 0.2) return undefined;
    return isCreditable(this.credits, receiver, order) ? { kind: 'credit', order } : undefined;
  }

  private get credits(): CreditBatch {
    return { domain: DOMAIN, height: this.state.next.height, before: this.direct };
  }

  /** By the rules of the circuit, which lets an account skip an open order. */
  private get view(): ExecutionView {
    return {
      account: (id) => this.now.get(id) ?? this.state.account(id),
      order: (index) => this.state.order(index),
      hasOpenOrder: () => false,
      credits: this.credits,
    };
  }

  private operation(): RollupOperation {
    if (this.holders.length < 3 || (this.holders.length < 7 && this.random() < 0.2)) return this.create();
    const holder = this.pick(this.holders);
    const account = this.view.account(holder.user.id) as Account;
    const consented = this.holders.filter(({ user }) => this.isConsented(user));
    if (consented.length > 0 && this.random() < 0.3) return this.creditable(this.pick(consented).user);
    const choice = this.random();
    if (choice < 0.25)
      return deposit(this.inbound, holder.user, this.below(TOKENS), BigInt(this.below(1_000)));
    if (choice < 0.42) return this.redeem(holder, account);
    if (choice < 0.57) return this.consent(holder, account);
    return choice < 0.8 ? this.pay(holder, account) : this.transferOut(holder, account);
  }

  private isConsented({ id }: RollupUser): boolean {
    const { consentTerms } = this.view.account(id) as Account;
    return (consentTerms?.untilHeight ?? 0) >= this.state.next.height;
  }

  /** What the consent of an account lets be credited, and another holder may have. */
  private creditable(to: RollupUser): RollupOperation {
    const { tokenId, minimum } = (this.view.account(to.id) as Account).consentTerms as ConsentTerms;
    const payer = this.holders.find(({ user, isHonest }) => {
      const isKnown = !isHonest || to.jointKey.operator === OPERATOR_KEY;
      return isKnown && balanceOf(this.view.account(user.id) as Account, tokenId) >= minimum;
    });
    if (payer === undefined || this.random() < 0.5)
      return deposit(this.inbound, to, tokenId, minimum + BigInt(this.below(1_000)));
    const { nonce } = this.view.account(payer.user.id) as Account;
    return payer.user.payDirectly(to, tokenId, minimum, nonce + 1);
  }

  /** With a text that says nothing of it, for some who are not honest: what comes by such a consent is read by its holder alone. */
  private consent({ user, isHonest }: Holder, account: Account): RollupOperation {
    const operation = user.setConsent(this.terms(), account.nonce + 1);
    if (isHonest || operation.kind !== 'setConsent' || this.random() < 0.5) return operation;
    const words = operationPlaintext(operation);
    return this.signed(user, { ...operation, ciphertext: this.text(user, words) });
  }

  /** Of a consent, mostly one that lets something be credited; undefined for none. */
  private terms(): Consented | undefined {
    if (this.random() < 0.15) return undefined;
    const untilHeight = this.state.next.height + this.below(40);
    return { minimum: BigInt(this.below(3)), untilHeight, tokenId: this.below(TOKENS) };
  }

  private create(): RollupOperation {
    const isHonest = this.random() < 0.5;
    const key = isHonest || this.random() < 0.5 ? OPERATOR_KEY : multiplyGenerator(24n);
    const user = new RollupUser(this.holders.length + 1, key, DOMAIN, () => this.word());
    const words = this.creationText(user, isHonest);
    this.holders.push({ user, isHonest });
    return user.create(words);
  }

  /** Every other one says all that there is of the account, or pretends that it is of another holder. */
  private creationText(user: RollupUser, isHonest: boolean): readonly bigint[] {
    const [first] = this.holders;
    if (this.holders.length % 2 === 0) return user.creationWords.slice(0, 1);
    return isHonest || first === undefined ? user.creationWords : first.user.creationWords;
  }

  private redeem(holder: Holder, account: Account): RollupOperation {
    const { user, isHonest } = holder;
    const open = (this.open.get(user.id) ?? []).filter(({ index }) => index > account.redemptionIndex);
    const found = this.random() < 0.8 ? open[0] : open.at(-1);
    if (found === undefined) return deposit(this.inbound, user, 0, 0n);
    const { order, index } = found;
    const operation = user.redeem(order, index, account.nonce + 1);
    if (isHonest || operation.kind !== 'redeemMoneyOrder' || this.random() < 0.3) return operation;
    return this.signed(user, {
      ...operation,
      ciphertext: this.text(user, [...moneyOrderWords(order), BigInt(index)]),
    });
  }

  private pay(holder: Holder, account: Account): RollupOperation {
    const { user, isHonest } = holder;
    const tokenId = this.random() < 0.1 ? 200 : this.below(TOKENS);
    const amount = BigInt(this.below(Number(balanceOf(account, tokenId)) + 1));
    // Who pays by the rules gets keys from the operator, which knows none with the half of another one.
    const known = this.holders.filter(
      ({ user: { jointKey } }) => !isHonest || jointKey.operator === OPERATOR_KEY,
    );
    const to = this.pick(known).user;
    const nonce = account.nonce + 1;
    const isDirect = this.random() < 0.5;
    const operation = isDirect
      ? user.payDirectly(to, tokenId, amount, nonce)
      : user.pay(to, tokenId, amount, nonce);
    if (isHonest || operation.kind !== 'createMoneyOrder' || this.random() < 0.3) return operation;
    const toAccountId = this.random() < 0.2 ? UNUSED_ID : to.id;
    const order = { ...operation.order, toAccountId };
    const isReadable = this.random() < 0.3;
    const factor = deriveRandomizationFactor(user.secretKey, {
      domain: DOMAIN,
      nonce: account.nonce + 1,
      attempt: 9,
    });
    const ciphertext = isReadable
      ? encrypt(moneyOrderWords(order), to.jointKey, factor)
      : this.text(to, moneyOrderWords(order));
    return this.signed(user, { ...operation, order, ciphertext });
  }

  /** With a text, for those who are not honest: what a transfer out says is not hidden, and the circuit asks for none. */
  private transferOut({ user, isHonest }: Holder, account: Account): RollupOperation {
    const tokenId = this.below(TOKENS);
    const amount = BigInt(this.below(Number(balanceOf(account, tokenId)) + 1));
    const nonce = account.nonce + 1;
    const operation = user.transferOut(ADDRESS, tokenId, amount, nonce);
    if (isHonest || this.random() < 0.5) return operation;
    const ciphertext = this.text(user, [amount]);
    const tag = DOMAIN * 8n + 4n;
    const fields = [BigInt(user.id), BigInt(ADDRESS), BigInt(tokenId), amount, BigInt(nonce), 0n, 0n];
    const signature = sign(user.secretKey, hashWords([tag, ...fields, ciphertextHash(ciphertext)]));
    return { ...operation, ciphertext, signature } as RollupOperation;
  }

  private signed(user: RollupUser, operation: SignedKind): RollupOperation {
    const signature = sign(user.secretKey, operationHash(DOMAIN, operation));
    return { ...operation, signature } as RollupOperation;
  }

  /** A text that the operator cannot read, or that says something else: what has the form of one, or nearly. */
  private text(to: RollupUser, words: readonly bigint[]): Ciphertext {
    const draw = (count: number) => Array.from({ length: count }, () => this.word() % FIELD_MODULUS);
    const ephemeral = multiplyGenerator((this.word() % 2n ** 250n) + 1n);
    const texts: (() => Ciphertext)[] = [
      () =>
        encrypt(
          words.map((word, place) => (place === 3 ? word + 1n : word)),
          to.jointKey,
          77n,
        ),
      () => ({ ephemeral, user: draw(words.length), operator: draw(words.length) }),
      () => ({ ephemeral, user: draw(2), operator: draw(5) }),
      () => ({ ephemeral: { x: 1n, y: 1n }, user: draw(5), operator: draw(5) }),
      () => ({ ephemeral: { x: 0n, y: 0n }, user: [], operator: [] }),
      () => ({ ephemeral, user: draw(9), operator: [] }),
    ];
    return this.pick(texts)();
  }

  private follow(index: number, step: AssembledStep | 'noOp'): void {
    if (step === 'noOp') return;
    const { order } = step.effects;
    if (order === undefined) return;
    this.open.set(order.toAccountId, [...(this.open.get(order.toAccountId) ?? []), { order, index }]);
  }

  private word(): bigint {
    return BigInt(Math.floor(this.random() * 2 ** 48)) ** 5n;
  }

  private below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  private pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }
}
