import {
  FIELD_MODULUS,
  consentHash,
  deriveRandomizationFactor,
  encrypt,
  inboundMoneyOrder,
  modulo,
  moneyOrderWords,
  multiplyGenerator,
  operationHash,
  operationPlaintext,
  sign,
  type Ciphertext,
  type ConsentTerms,
  type JointKey,
  type MoneyOrder,
  type Point,
  type Signature,
  type SignedKind,
} from '@tetrad/rollup-crypto';
import { parseAddress } from '@tetrad/types';
import type { InboundTransfer, RollupOperation } from '../rollup-operation.js';

/** Draws integers below 2^256; tests give a seeded one, so that a failure can be repeated. */
export type Draw = () => bigint;

/** Of a consent; a secret is drawn unless there is one. */
export type Consented = Omit<ConsentTerms, 'secret'> & Partial<ConsentTerms>;

interface Payment {
  readonly tokenId: number;
  readonly amount: bigint;
  readonly nonce: number;
  readonly isDirect?: boolean;
}

/** Keys of an account holder, and the operations signed with them. */
export class RollupUser {
  readonly publicKey: Point;
  readonly jointKey: JointKey;
  private readonly blindingFactor: bigint;
  private readonly attempts = new Map<number, number>();

  constructor(
    readonly id: number,
    operatorKey: Point,
    readonly domain: bigint,
    readonly draw: Draw,
    readonly secretKey = scalar(draw),
    readonly encryptionKey = scalar(draw),
  ) {
    this.publicKey = multiplyGenerator(secretKey);
    this.jointKey = { user: multiplyGenerator(encryptionKey), operator: operatorKey };
    this.blindingFactor = scalar(draw);
  }

  /** @param words - the words of the text; by default all that there is to say, as contracts want it */
  create(words: readonly bigint[] = this.creationWords): RollupOperation {
    return this.createWith(this.encrypt(words, this.jointKey));
  }

  /** @param ciphertext - the text, which may be that of another creation */
  createWith(ciphertext: Ciphertext): RollupOperation {
    const { publicKey, jointKey, blindingFactor } = this;
    const operation = { kind: 'createAccount', publicKey, jointKey, blindingFactor, ciphertext } as const;
    return { ...operation, ...this.signed(operation), accountId: this.id };
  }

  /** All that the text of a creation says. */
  get creationWords(): readonly bigint[] {
    const { publicKey, jointKey, blindingFactor } = this;
    return operationPlaintext({ kind: 'createAccount', publicKey, jointKey, blindingFactor });
  }

  pay(to: RollupUser, tokenId: number, amount: bigint, nonce: number): RollupOperation {
    return this.payWith(to, { tokenId, amount, nonce });
  }

  /** The same, which may be credited at once. */
  payDirectly(to: RollupUser, tokenId: number, amount: bigint, nonce: number): RollupOperation {
    return this.payWith(to, { tokenId, amount, nonce, isDirect: true });
  }

  /** @param terms - what its consent says, with a secret of its own unless it has one; undefined ends the one there is */
  setConsent(terms: Consented | undefined, nonce: number): RollupOperation {
    const opened = terms === undefined ? undefined : { secret: scalar(this.draw), ...terms };
    const consent = consentHash(this.domain, opened);
    const change = { kind: 'setConsent', accountId: this.id, consent, terms: opened, nonce } as const;
    const operation = { ...change, ciphertext: this.encrypt(operationPlaintext(change), this.jointKey) };
    return { ...operation, ...this.signed(operation) };
  }

  private payWith(to: RollupUser, { tokenId, amount, nonce, isDirect }: Payment): RollupOperation {
    const blindingFactor = scalar(this.draw);
    const order = { fromAccountId: this.id, toAccountId: to.id, tokenId, amount, blindingFactor };
    // Not every amount that a test tries is a field element.
    const words = moneyOrderWords(order).map((word) => modulo(word, FIELD_MODULUS));
    const ciphertext = encrypt(words, to.jointKey, this.factorOf(nonce));
    const operation = { kind: 'createMoneyOrder', order, nonce, isDirect, ciphertext } as const;
    return { ...operation, ...this.signed(operation) };
  }

  redeem(order: MoneyOrder, index: number, nonce: number): RollupOperation {
    const ciphertext = this.encrypt([...moneyOrderWords(order), BigInt(index)], this.jointKey);
    const operation = { kind: 'redeemMoneyOrder', order, totalIndex: index, nonce, ciphertext } as const;
    return { ...operation, ...this.signed(operation) };
  }

  transferOut(to: string, tokenId: number, amount: bigint, nonce: number): RollupOperation {
    const toEthereumAddress = parseAddress(to);
    const fields = { fromAccountId: this.id, toEthereumAddress, tokenId, amount, nonce };
    const operation = { kind: 'outboundTransfer', ...fields } as const;
    return { ...operation, ...this.signed(operation) };
  }

  /** Another one each time, as for operations that replace each other. */
  factorOf(nonce: number): bigint {
    const attempt = this.attempts.get(nonce) ?? 0;
    this.attempts.set(nonce, attempt + 1);
    return deriveRandomizationFactor(this.secretKey, { domain: this.domain, nonce, attempt });
  }

  private encrypt(words: readonly bigint[], key: JointKey): Ciphertext {
    return encrypt(words, key, scalar(this.draw));
  }

  private signed(operation: SignedKind): { readonly signature: Signature } {
    return { signature: sign(this.secretKey, operationHash(this.domain, operation)) };
  }
}

export function deposit(index: number, to: RollupUser, tokenId: number, amount: bigint): InboundTransfer {
  return { kind: 'inboundTransfer', index, accountId: to.id, tokenId, amount };
}

export const depositOrder = (transfer: InboundTransfer): MoneyOrder => inboundMoneyOrder(transfer);

function scalar(draw: Draw): bigint {
  return (draw() % (2n ** 253n - 1n)) + 1n;
}
