import {
  CIPHERTEXT_WORDS,
  ciphertextFromWords,
  ciphertextWords,
  moneyOrderHash,
  splitTotalIndex,
  totalIndex,
  type MoneyOrder,
  type Point,
  type SignedKind,
} from '@tetrad/rollup-crypto';
import {
  accountHash,
  executeOperation,
  isReadable,
  readCredit,
  type Account,
  type RollupOperation,
} from '@tetrad/rollup-state';
import {
  UNKNOWN_SIGNATURE,
  type PublicPlace,
  type SequenceStep,
  type StoredOperation,
} from '@tetrad/rollup-store';
import { hasText, isStorable, readOperations, readOrder, saidBlindingFactor } from './read-text.js';

/** The result of reading a place on the chain. It does not trust the batch's submitter: all of it hashes to what was proved. */
export interface Reading {
  /** The account afterwards; undefined when it cannot be read. */
  readonly after: Account | undefined;
  /** The row that was accepted here. */
  readonly stored: StoredOperation | undefined;
  /** The operation as reconstructed from the chain and the operator's key, when it has no row and fits into one. */
  readonly operation: SignedKind | undefined;
  /** The created money order, when it can be read. */
  readonly order: MoneyOrder | undefined;
  /** Of a credit that can be read: what came, and the account afterwards. Its blinding factor is 0: the order is in no tree. */
  readonly credit?: { readonly order: MoneyOrder; readonly after: Account } | undefined;
}

export const UNREADABLE: Reading = {
  after: undefined,
  stored: undefined,
  operation: undefined,
  order: undefined,
};

/** What a place is read with. */
export interface ReadingParts {
  /** The account before; undefined for a new one and for one that cannot be read. */
  readonly before: Account | undefined;
  readonly operatorSecrets: readonly bigint[];
  /** Which rollup it is, where it has consents. */
  readonly consentDomain: bigint | undefined;
  /** Whether the row with this sequence number is at another place already: accounts with one text may be many. */
  readonly isTaken: (sequence: number) => boolean;
  /** Whether an account with this public key is there already: a creation can be sent again, by anyone who saw it. */
  readonly isKeyTaken: (publicKey: Point) => Promise<boolean>;
}

/**
 * Reads the operation at a place: as a row that was accepted here, or else with the operator's key. What is found is taken
 * only when it leads to the published leaf and order.
 */
export async function readPlace(
  step: SequenceStep,
  place: PublicPlace,
  { before, operatorSecrets, isTaken, isKeyTaken, consentDomain }: ReadingParts,
): Promise<Reading> {
  if (place.kind === 'credit') return readCreditAt(place, before);
  if (before === undefined && place.kind !== 'createAccount')
    return { ...UNREADABLE, order: readOrder(place, operatorSecrets) };
  const accepted = await acceptedAt(step, place, { before, operatorSecrets });
  for (const stored of [...accepted, ...(await requestedAt(step, place, before))]) {
    if (isTaken(stored.sequence)) continue;
    const effects = await verify(step, place, { before, operation: stored.operation, consentDomain });
    if (effects !== undefined) return { ...UNREADABLE, ...effects, stored };
  }
  const said = { nonce: (before?.nonce ?? 0) + 1, operatorSecrets, consentDomain };
  for (const operation of readOperations(place, said)) {
    const effects = await verify(step, place, { before, operation, consentDomain });
    if (effects === undefined) continue;
    if (operation.kind === 'createAccount' && (await isKeyTaken(operation.publicKey))) continue;
    if (isStorable(place, effects.order)) return { ...UNREADABLE, ...effects, operation };
    return { ...UNREADABLE, after: effects.after };
  }
  return { ...UNREADABLE, order: readOrder(place, operatorSecrets) };
}

/** Whose the credit is, by what the account is before it. */
function readCreditAt(place: PublicPlace, before: Account | undefined): Reading {
  const { accountId: toAccountId, leaf, words, batchHeight, batchIndex } = place;
  const at = { leaf, totalIndex: totalIndex(batchHeight, batchIndex), word: words[0] as bigint };
  const read = before === undefined ? undefined : readCredit(before, at);
  if (read === undefined) return UNREADABLE;
  const { after, fromAccountId, tokenId, amount } = read;
  const order = { fromAccountId, toAccountId, tokenId, amount, blindingFactor: 0n };
  return { ...UNREADABLE, after, credit: { order, after } };
}

/** The rows that may be the operation; a transfer out that carries a text was never accepted here. */
async function acceptedAt(
  step: SequenceStep,
  place: PublicPlace,
  { before, operatorSecrets }: Pick<ReadingParts, 'before' | 'operatorSecrets'>,
): Promise<StoredOperation[]> {
  const { kind, accountId, words, recipient: toEthereumAddress, tokenId, amount } = place;
  const ciphertext = ciphertextFromWords(words);
  const nonce = (before?.nonce ?? 0) + 1;
  if (kind === 'credit') return [];
  if (kind === 'outboundTransfer') {
    if (hasText(place)) return [];
    const transfer = { toEthereumAddress, tokenId, amount };
    return step.adoptable({ kind, accountId, nonce, ciphertext: undefined, transfer });
  }
  const blindingFactor = saidBlindingFactor(place, operatorSecrets);
  return ciphertext === undefined
    ? []
    : step.adoptable({ kind, accountId, nonce, ciphertext, blindingFactor });
}

/** What the account had asked the contract for, whose text may say nothing of it. */
async function requestedAt(
  step: SequenceStep,
  { kind, accountId, words }: PublicPlace,
  before: Account | undefined,
): Promise<StoredOperation[]> {
  if (before === undefined || kind === 'createAccount') return [];
  const text = words.join();
  const stored = await step.requestedWith(accountId, before.nonce + 1);
  return stored.filter(({ operation }) => operation.kind === kind && textOf(operation).join() === text);
}

const textOf = (operation: SignedKind) =>
  'ciphertext' in operation
    ? ciphertextWords(operation.ciphertext)
    : Array.from({ length: CIPHERTEXT_WORDS }, () => 0n);

/** @returns the account after an operation that is at the place; undefined when that is not what was proved */
export async function accountAfter(
  step: SequenceStep,
  place: PublicPlace,
  read: {
    readonly before: Account;
    readonly operation: SignedKind;
    readonly consentDomain: bigint | undefined;
  },
): Promise<Account | undefined> {
  return (await verify(step, place, read))?.after;
}

/** @returns what the operation does at this place; undefined when that is not what was proved */
async function verify(
  step: SequenceStep,
  place: PublicPlace,
  {
    before,
    operation: signed,
    consentDomain: domain,
  }: {
    readonly before: Account | undefined;
    readonly operation: SignedKind;
    readonly consentDomain: bigint | undefined;
  },
): Promise<Pick<Reading, 'after' | 'order'> | undefined> {
  const { batchHeight: height } = place;
  const credits = domain === undefined ? undefined : { domain, height, before: undefined };
  const operation = {
    ...signed,
    accountId: place.accountId,
    signature: UNKNOWN_SIGNATURE,
  } as RollupOperation;
  const hash = await orderHash(step, place, operation);
  const execution = executeOperation(
    // The circuit lets an account redeem past an open order, which forfeits it.
    { account: () => before, order: () => hash, hasOpenOrder: () => false, credits },
    operation,
  );
  if (execution.status !== 'EXECUTED') return undefined;
  const { after, order } = execution.effects;
  const isProved =
    after !== undefined &&
    isReadable(after) &&
    after.id === place.accountId &&
    accountHash(after) === place.leaf &&
    (isCreditedPayment(place, signed) ||
      (order === undefined ? 0n : moneyOrderHash(order)) === place.orderHash);
  return isProved ? { after, order } : undefined;
}

/** Of the order that is redeemed, when it is in a batch before. */
async function orderHash(
  step: SequenceStep,
  { batchHeight }: PublicPlace,
  operation: RollupOperation,
): Promise<bigint | undefined> {
  if (operation.kind !== 'redeemMoneyOrder') return undefined;
  if (splitTotalIndex(operation.totalIndex).batchHeight >= batchHeight) return undefined;
  return (await step.moneyOrders([operation.totalIndex]))[0]?.hash;
}

/** A payment that is credited publishes no hash; the leaf of its payer says that it was made. */
function isCreditedPayment({ orderHash }: PublicPlace, operation: SignedKind): boolean {
  return operation.kind === 'createMoneyOrder' && operation.isDirect === true && orderHash === 0n;
}
