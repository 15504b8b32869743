import {
  CIPHERTEXT_WORDS,
  ciphertextFromWords,
  ciphertextWords,
  creationOfWords,
  decrypt,
  moneyOrderHash,
  multiplyGenerator,
  splitTotalIndex,
  type Ciphertext,
  type MoneyOrder,
  type Point,
  type SignedKind,
} from '@tetrad/rollup-crypto';
import {
  MAX_ACCOUNTS,
  accountHash,
  executeOperation,
  isReadable,
  moneyOrderOfWords,
  type Account,
  type RollupOperation,
} from '@tetrad/rollup-state';
import {
  UNKNOWN_SIGNATURE,
  type PublicPlace,
  type SequenceStep,
  type StoredOperation,
} from '@tetrad/rollup-store';

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
}

export const UNREADABLE: Reading = {
  ...{ after: undefined, stored: undefined, operation: undefined, order: undefined },
};

/** What a place is read with. */
export interface ReadingParts {
  /** The account before; undefined for a new one and for one that cannot be read. */
  readonly before: Account | undefined;
  readonly operatorSecrets: readonly bigint[];
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
  { before, operatorSecrets, isTaken, isKeyTaken }: ReadingParts,
): Promise<Reading> {
  if (before === undefined && place.kind !== 'createAccount')
    return { ...UNREADABLE, order: readOrder(place, operatorSecrets) };
  const accepted = await acceptedAt(step, place, { before, operatorSecrets });
  for (const stored of [...accepted, ...(await requestedAt(step, place, before))]) {
    if (isTaken(stored.sequence)) continue;
    const effects = await verify(step, place, before, stored.operation);
    if (effects !== undefined) return { ...UNREADABLE, ...effects, stored };
  }
  for (const operation of readOperations(place, (before?.nonce ?? 0) + 1, operatorSecrets)) {
    const effects = await verify(step, place, before, operation);
    if (effects === undefined) continue;
    if (operation.kind === 'createAccount' && (await isKeyTaken(operation.publicKey))) continue;
    if (isStorable(place, effects.order)) return { ...UNREADABLE, ...effects, operation };
    return { ...UNREADABLE, after: effects.after };
  }
  return { ...UNREADABLE, order: readOrder(place, operatorSecrets) };
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

/** What the text of a creation says to the operator's present key, true or not. */
export function saidBlindingFactor(
  { kind, words }: PublicPlace,
  [operatorSecret]: readonly bigint[],
): bigint | undefined {
  const ciphertext = ciphertextFromWords(words);
  if (kind !== 'createAccount' || ciphertext === undefined || operatorSecret === undefined) return undefined;
  return decrypt(ciphertext, 'operator', operatorSecret)[0];
}

/** Out: the account after an operation that is at the place; undefined when that is not what was proved */
export async function accountAfter(
  step: SequenceStep,
  place: PublicPlace,
  { before, operation }: { readonly before: Account; readonly operation: SignedKind },
): Promise<Account | undefined> {
  return (await verify(step, place, before, operation))?.after;
}

/** Out: what the operation does at this place; undefined when that is not what was proved. */
async function verify(
  step: SequenceStep,
  place: PublicPlace,
  before: Account | undefined,
  signed: SignedKind,
): Promise<Pick<Reading, 'after' | 'order'> | undefined> {
  const operation = {
    ...signed,
    accountId: place.accountId,
    signature: UNKNOWN_SIGNATURE,
  } as RollupOperation;
  const hash = await orderHash(step, place, operation);
  const execution = executeOperation(
    // The circuit lets an account redeem past an open order, which forfeits it.
    { account: () => before, order: () => hash, hasOpenOrder: () => false },
    operation,
  );
  if (execution.status !== 'EXECUTED') return undefined;
  const { after, order } = execution.effects;
  const isProved =
    after !== undefined &&
    isReadable(after) &&
    after.id === place.accountId &&
    accountHash(after) === place.leaf &&
    (order === undefined ? 0n : moneyOrderHash(order)) === place.orderHash;
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

/** What chain and keys say, true or not: at most one operation for each key, as it is not known which one a text is for. */
function* readOperations(
  place: PublicPlace,
  nonce: number,
  operatorSecrets: readonly bigint[],
): Generator<SignedKind> {
  const { kind, accountId: fromAccountId, tokenId, amount, recipient: toEthereumAddress } = place;
  if (kind === 'outboundTransfer') {
    yield { kind, fromAccountId, toEthereumAddress, tokenId, amount, nonce };
    return;
  }
  const ciphertext = ciphertextFromWords(place.words);
  if (ciphertext === undefined) return;
  for (const secret of operatorSecrets) {
    const operation = readText(kind, { ciphertext, nonce, secret });
    if (operation !== undefined) yield operation;
  }
}

function readText(
  kind: Exclude<SignedKind['kind'], 'outboundTransfer'>,
  {
    ciphertext,
    nonce,
    secret,
  }: { readonly ciphertext: Ciphertext; readonly nonce: number; readonly secret: bigint },
): SignedKind | undefined {
  const said = decrypt(ciphertext, 'operator', secret);
  if (kind === 'createAccount') {
    const creation = creationOfWords(said, multiplyGenerator(secret));
    return creation && { kind, ...creation, ciphertext };
  }
  const order = moneyOrderOfWords(said);
  if (order === undefined) return undefined;
  if (kind === 'createMoneyOrder') return { kind, order, nonce, ciphertext };
  const index = said[5];
  if (index === undefined || index >> 48n !== 0n) return undefined;
  return { kind, order, totalIndex: Number(index), nonce, ciphertext };
}

/** The order that a place makes, whatever is known of the account that makes it. */
function readOrder(place: PublicPlace, operatorSecrets: readonly bigint[]): MoneyOrder | undefined {
  if (place.kind !== 'createMoneyOrder') return undefined;
  for (const operation of readOperations(place, 0, operatorSecrets)) {
    if (operation.kind !== 'createMoneyOrder' || !isStorable(place, operation.order)) continue;
    if (moneyOrderHash(operation.order) === place.orderHash) return operation.order;
  }
  return undefined;
}

/** The circuit knows receivers of 32 bits, of which there are accounts of 28, and transfers out with a text. */
function isStorable(place: PublicPlace, order: MoneyOrder | undefined): boolean {
  if (place.kind === 'outboundTransfer') return !hasText(place);
  return order === undefined || order.toAccountId < MAX_ACCOUNTS;
}

const hasText = ({ words }: PublicPlace) => words.some((word) => word !== 0n);
