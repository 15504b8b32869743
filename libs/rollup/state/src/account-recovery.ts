import { parseOperationHeader, type PublicOperation } from '@tetrad/rollup-circuits';
import { TetradError, parseAddress, type Address } from '@tetrad/types';
import {
  CIPHERTEXT_WORDS,
  NO_CONSENT,
  MAX_ATTEMPTS,
  ciphertextFromWords,
  decrypt,
  decryptWithFactor,
  deriveRandomizationFactor,
  inboundMoneyOrder,
  moneyOrderHash,
  multiplyGenerator,
  readConsentWords,
  totalIndex,
  type Ciphertext,
  type MoneyOrder,
  type Point,
} from '@tetrad/rollup-crypto';
import type { AccountEvent, ReceivedOrder } from './account-event.js';
import { accountHash, type Account } from './account.js';
import { accountAfter, type AccountStep } from './account-step.js';
import type { BatchView } from './batch.js';
import { readCredit } from './credit.js';
import { HolderTrees } from './holder-trees.js';
import { moneyOrderOfWords } from './money-order-words.js';
import type { PublicBatch } from './public-state.js';

/** What an account holder has when all else is lost. */
export interface AccountKeys {
  readonly domain: bigint;
  readonly secretKey: bigint;
  /** Secret of the user's half of the joint key. */
  readonly encryptionKey: bigint;
  /** Keys that the operator has announced: the account has one of them, and so has each account that it pays. */
  readonly operatorKeys: readonly Point[];
}

/** A batch with the words of its ciphertexts, 15 for each operation, and who is paid. */
export interface RecoverableBatch extends PublicBatch {
  readonly recipients: readonly Address[];
  readonly ciphertexts: readonly bigint[];
}

/** A credit as it was published, and who paid what it credits; 0 for a deposit. */
interface FollowedCredit {
  readonly word: bigint;
  readonly totalIndex: number;
  readonly payer: number | undefined;
}

/** The data on the chain is not enough to recover the account; the message names the place. */
export class RecoveryError extends TetradError {
  override readonly name = 'RecoveryError';
  override readonly code = 'UNRECOVERABLE_ACCOUNT';
}

/**
 * Follows one account from what the contract published and its keys alone: balances, open orders, and the view with which its
 * next operations are proved when the operator is gone. Each step is checked against the leaf on the chain.
 */
export class AccountRecovery implements BatchView {
  private readonly public = new HolderTrees();
  private readonly received: ReceivedOrder[] = [];
  private readonly publicKey: Point;
  private ownAccount: Account | undefined;
  private inbound = 0;

  constructor(readonly keys: AccountKeys) {
    this.publicKey = multiplyGenerator(keys.secretKey);
  }

  /** Undefined until a batch has created it. */
  get own(): Account | undefined {
    return this.ownAccount;
  }

  /** Orders that the account can redeem, in the order in which it must. */
  get openOrders(): readonly ReceivedOrder[] {
    return this.received.filter((received) => received.totalIndex > (this.ownAccount?.redemptionIndex ?? 0));
  }

  get next(): { readonly height: number; readonly inboundFrom: number; readonly hasConsents: boolean } {
    const hasConsents = this.ownAccount?.consent !== undefined;
    return { height: this.public.height + 1, inboundFrom: this.inbound, hasConsents };
  }

  /**
   * @returns what the batch did to the account, in order
   * @throws PublicStateError for another batch than the next; RecoveryError for an operation that the keys do not open
   */
  apply(batch: RecoverableBatch): AccountEvent[] {
    this.public.apply(batch);
    let payer: number | undefined;
    return batch.headers.flatMap((header, index) => {
      const words = batch.ciphertexts.slice(CIPHERTEXT_WORDS * index, CIPHERTEXT_WORDS * (index + 1));
      const operation = {
        ...parseOperationHeader(header),
        leaf: batch.leaves[index] as bigint,
        order: batch.orders[index] as bigint,
        toAddress: BigInt(batch.recipients[index] ?? 0n),
      };
      const ciphertext = ciphertextFromWords(words);
      const at = totalIndex(batch.height, index);
      const own =
        operation.kind === 'credit'
          ? this.credited(operation, { word: words[0] as bigint, payer, totalIndex: at })
          : this.follow(operation, ciphertext, at);
      payer = operation.kind === 'inboundTransfer' ? 0 : operation.accountId;
      return [...own, ...this.receive(operation, ciphertext, at)];
    });
  }

  account(id: number): Account | undefined {
    return id === this.ownAccount?.id ? this.ownAccount : undefined;
  }

  accountNode = (level: number, index: number): bigint => this.public.accountNode(level, index);

  historyNode = (level: number, index: number): bigint => this.public.historyNode(level, index);

  orders(batchHeight: number): readonly bigint[] {
    return this.public.orders(batchHeight);
  }

  order(index: number): bigint | undefined {
    return this.received
      .filter((received) => received.totalIndex === index)
      .map((received) => moneyOrderHash(received.order))[0];
  }

  hasOpenOrder(accountId: number, after: number, before: number): boolean {
    const isBetween = (received: ReceivedOrder) =>
      received.totalIndex > after && received.totalIndex < before;
    return accountId === this.ownAccount?.id && this.received.some(isBetween);
  }

  private follow(operation: PublicOperation, ciphertext: Ciphertext | undefined, at: number): AccountEvent[] {
    const account = this.ownAccount;
    if (operation.kind === 'createAccount' && account === undefined) {
      const created = ciphertext === undefined ? undefined : this.created(operation, ciphertext);
      if (created === undefined) return [];
      this.ownAccount = created;
      return [{ kind: 'created', totalIndex: at, accountId: created.id }];
    }
    if (account === undefined || operation.leaf === 0n || operation.accountId !== account.id) return [];
    const step = this.step(account, operation, ciphertext);
    const after = step === undefined ? undefined : accountAfter(account, step);
    if (step === undefined || after === undefined || accountHash(after) !== operation.leaf) {
      throw new RecoveryError(
        `the operation with nonce ${account.nonce + 1} in batch ${this.public.height} cannot be read`,
      );
    }
    this.ownAccount = after;
    return [{ ...step, totalIndex: at }];
  }

  /** @param options.payer - of the operation before it, which it credits */
  private credited(
    { accountId, leaf }: PublicOperation,
    { word, payer, totalIndex: at }: FollowedCredit,
  ): AccountEvent[] {
    const account = this.ownAccount;
    if (account === undefined || accountId !== account.id) return [];
    const read = readCredit(account, { leaf, word, totalIndex: at });
    if (read === undefined || read.fromAccountId !== payer)
      throw new RecoveryError(
        `the credit after nonce ${account.nonce} in batch ${this.public.height} cannot be read`,
      );
    const { fromAccountId, tokenId, amount, after } = read;
    this.ownAccount = after;
    return [{ kind: 'credited', totalIndex: at, fromAccountId, tokenId, amount }];
  }

  /** Neither which key the operator had when it was signed is said, nor whether the rollup has consents; the leaf tells. */
  private created({ accountId: id, leaf }: PublicOperation, ciphertext: Ciphertext): Account | undefined {
    const { encryptionKey, operatorKeys } = this.keys;
    const { publicKey } = this;
    const [blindingFactor, keyX] = decrypt(ciphertext, 'user', encryptionKey);
    if (blindingFactor === undefined || (keyX !== undefined && keyX !== publicKey.x)) return undefined;
    const user = multiplyGenerator(encryptionKey);
    const fresh = { nonce: 0, redemptionIndex: 0, balances: new Map() };
    return operatorKeys
      .map((operator) => ({ id, publicKey, jointKey: { user, operator }, blindingFactor, ...fresh }))
      .flatMap((account): Account[] => [account, { ...account, consent: NO_CONSENT }])
      .findLast((account) => accountHash(account) === leaf);
  }

  /** @returns undefined when the keys do not open it */
  private step(
    account: Account,
    operation: PublicOperation,
    ciphertext: Ciphertext | undefined,
  ): AccountStep | undefined {
    const nonce = account.nonce + 1;
    if (operation.kind === 'outboundTransfer') {
      const { tokenId, amount, toAddress } = operation;
      return { kind: 'withdrawn', tokenId, amount, nonce, toEthereumAddress: addressOf(toAddress) };
    }
    if (ciphertext === undefined) return undefined;
    if (operation.kind === 'redeemMoneyOrder') {
      const words = decrypt(ciphertext, 'user', this.keys.encryptionKey);
      const order = moneyOrderOfWords(words);
      if (order === undefined || words[5] === undefined) return undefined;
      return { kind: 'redeemed', order, orderIndex: Number(words[5]), nonce };
    }
    if (operation.kind === 'setConsent') {
      const words = decrypt(ciphertext, 'user', this.keys.encryptionKey);
      const read = readConsentWords(this.keys.domain, words);
      return read === undefined ? undefined : { kind: 'consentChanged', ...read, nonce };
    }
    const order = this.sentOrder(operation, ciphertext, nonce);
    if (order === undefined) return undefined;
    return { kind: 'sent', order, nonce, ...(operation.order === 0n ? { isCredited: true } : {}) };
  }

  /** What the account sent to another, whose key it does not have. */
  private sentOrder(
    { order: hash }: PublicOperation,
    ciphertext: Ciphertext,
    nonce: number,
  ): MoneyOrder | undefined {
    const { domain, secretKey, operatorKeys } = this.keys;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const factor = deriveRandomizationFactor(secretKey, { domain, nonce, attempt });
      if (multiplyGenerator(factor).x !== ciphertext.ephemeral.x) continue;
      return operatorKeys
        .map((key) => moneyOrderOfWords(decryptWithFactor(ciphertext, 'operator', key, factor)))
        .findLast((order) => order !== undefined && isPublished(order, hash));
    }
    return undefined;
  }

  private receive(
    operation: PublicOperation,
    ciphertext: Ciphertext | undefined,
    at: number,
  ): AccountEvent[] {
    const order = this.incoming(operation, ciphertext);
    if (order === undefined || order.toAccountId !== this.ownAccount?.id) return [];
    this.received.push({ order, totalIndex: at });
    this.public.keepOrders();
    return [{ kind: 'received', order, totalIndex: at }];
  }

  /** A created order that the keys decrypt. */
  private incoming(operation: PublicOperation, ciphertext: Ciphertext | undefined): MoneyOrder | undefined {
    if (operation.kind === 'inboundTransfer') {
      this.inbound += 1;
      const isCredited = operation.order === 0n;
      return isCredited ? undefined : inboundMoneyOrder({ ...operation, index: this.inbound - 1 });
    }
    if (operation.kind !== 'createMoneyOrder' || ciphertext === undefined) return undefined;
    const order = moneyOrderOfWords(decrypt(ciphertext, 'user', this.keys.encryptionKey));
    return order !== undefined && moneyOrderHash(order) === operation.order ? order : undefined;
  }
}

/** Of an order that was credited there is no hash, and the leaf says whether it is the one. */
const isPublished = (order: MoneyOrder, hash: bigint) => hash === 0n || moneyOrderHash(order) === hash;

function addressOf(word: bigint): Address {
  return parseAddress(`0x${word.toString(16).padStart(40, '0')}`);
}
