import {
  consentHash,
  encodeCiphertext,
  encodeJointKey,
  encodePoint,
  encodeSignature,
  encodeWord,
  encrypt,
  moneyOrderWords,
  operationHash,
  operationPlaintext,
  sign,
  type ConsentTerms,
  type JointKey,
  type MoneyOrder,
  type Point,
  type SignedKind,
} from '@tetrad/rollup-crypto';
import { hexFromBytes, parseAddress } from '@tetrad/types';
import { DOMAIN, userOf } from './running-operator.js';

interface Payment {
  readonly tokenId: number;
  readonly amount: bigint;
  readonly nonce: number;
  readonly isDirect?: boolean;
}

/** Parameters of the methods, as an account holder makes them. Each call draws new factors. */
export class AccountHolder {
  private readonly user: ReturnType<typeof userOf>;

  constructor(
    public id: number,
    seed: number,
    operatorKey?: Point,
  ) {
    this.user = userOf(id, seed, operatorKey);
  }

  get publicKey(): string {
    return hexFromBytes(encodePoint(this.user.publicKey));
  }

  get jointKey(): JointKey {
    return this.user.jointKey;
  }

  /**
   * Parameters of pazkp_createAccount.
   * @param text - what the text says instead of the blinding factor alone, given what it should
   */
  registration(
    text: (words: readonly bigint[]) => readonly bigint[] = (words) => words.slice(0, 1),
  ): string[] {
    const { publicKey, jointKey } = this.user;
    const [blindingFactor, factor] = [this.draw(), this.draw()];
    const said = operationPlaintext({ kind: 'createAccount', publicKey, jointKey, blindingFactor });
    const ciphertext = encrypt(text(said), jointKey, factor);
    const signature = this.signed({ kind: 'createAccount', publicKey, jointKey, blindingFactor, ciphertext });
    const keys = [hexFromBytes(encodePoint(publicKey)), hexFromBytes(encodeJointKey(jointKey))];
    const words = [word(blindingFactor), hexFromBytes(encodeCiphertext(ciphertext)), word(factor)];
    return [...keys, ...words, signature];
  }

  /** Parameters of pazkp_createMoneyOrder. */
  payment(to: AccountHolder, tokenId: number, amount: bigint, nonce: number): unknown[] {
    return this.paymentWith(to, { tokenId, amount, nonce });
  }

  /** Parameters of rollup_createDirectMoneyOrder. */
  directPayment(to: AccountHolder, tokenId: number, amount: bigint, nonce: number): unknown[] {
    return this.paymentWith(to, { tokenId, amount, nonce, isDirect: true });
  }

  /** Parameters of rollup_setConsent; in `other`, what is signed in place of what is said. */
  consent(terms: ConsentTerms, nonce: number, other: Partial<ConsentTerms> = {}): unknown[] {
    const { tokenId, minimum, untilHeight, secret } = terms;
    const shown = this.change({ ...terms, ...other }, nonce);
    return [this.id, tokenId, minimum, untilHeight, word(secret), ...shown];
  }

  /** Parameters of rollup_revokeConsent. */
  revocation(nonce: number): unknown[] {
    return [this.id, ...this.change(undefined, nonce)];
  }

  private change(terms: ConsentTerms | undefined, nonce: number): unknown[] {
    const consent = consentHash(DOMAIN, terms);
    const fields = { kind: 'setConsent', accountId: this.id, consent, terms, nonce } as const;
    const factor = this.draw();
    const ciphertext = encrypt(operationPlaintext(fields), this.jointKey, factor);
    const text = hexFromBytes(encodeCiphertext(ciphertext));
    return [text, word(factor), nonce, this.signed({ ...fields, ciphertext })];
  }

  private paymentWith(to: AccountHolder, { tokenId, amount, nonce, isDirect }: Payment): unknown[] {
    const blindingFactor = this.draw();
    const order = { fromAccountId: this.id, toAccountId: to.id, tokenId, amount, blindingFactor };
    const factor = this.draw();
    const ciphertext = encrypt(moneyOrderWords(order), to.jointKey, factor);
    const signature = this.signed({ kind: 'createMoneyOrder', order, nonce, isDirect, ciphertext });
    return [
      this.id,
      to.id,
      tokenId,
      amount,
      word(blindingFactor),
      hexFromBytes(encodeCiphertext(ciphertext)),
      word(factor),
      nonce,
      signature,
    ];
  }

  /** Parameters of pazkp_redeemMoneyOrder. */
  redemption(order: MoneyOrder, totalIndex: number, nonce: number, proof: unknown = null): unknown[] {
    const factor = this.draw();
    const ciphertext = encrypt([...moneyOrderWords(order), BigInt(totalIndex)], this.jointKey, factor);
    const signature = this.signed({ kind: 'redeemMoneyOrder', order, totalIndex, nonce, ciphertext });
    return [
      order.fromAccountId,
      order.toAccountId,
      order.tokenId,
      order.amount,
      word(order.blindingFactor),
      totalIndex,
      nonce,
      hexFromBytes(encodeCiphertext(ciphertext)),
      word(factor),
      signature,
      proof,
    ];
  }

  /** Parameters of pazkp_createOutboundTransfer. */
  transfer(to: string, tokenId: number, amount: bigint, nonce: number): unknown[] {
    const fields = { fromAccountId: this.id, toEthereumAddress: parseAddress(to), tokenId, amount, nonce };
    return [this.id, to, tokenId, amount, nonce, this.signed({ kind: 'outboundTransfer', ...fields })];
  }

  /** Below the order of either field. */
  draw(): bigint {
    return (this.user.draw() % (2n ** 253n - 1n)) + 1n;
  }

  signed(operation: SignedKind): string {
    return hexFromBytes(encodeSignature(sign(this.user.secretKey, operationHash(DOMAIN, operation))));
  }
}

const word = (value: bigint) => hexFromBytes(encodeWord(value));
