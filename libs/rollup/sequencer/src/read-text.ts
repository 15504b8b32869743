import {
  ciphertextFromWords,
  creationOfWords,
  decrypt,
  moneyOrderHash,
  multiplyGenerator,
  readConsentWords,
  type Ciphertext,
  type MoneyOrder,
  type SignedKind,
} from '@tetrad/rollup-crypto';
import { MAX_ACCOUNTS, moneyOrderOfWords } from '@tetrad/rollup-state';
import type { PublicPlace } from '@tetrad/rollup-store';

/** What the operations at a place are read with. */
interface TextReading {
  readonly nonce: number;
  readonly operatorSecrets: readonly bigint[];
  /** Which rollup it is, where it has consents. */
  readonly consentDomain: bigint | undefined;
}

/** What the text of a creation says to the operator's present key, true or not. */
export function saidBlindingFactor(
  { kind, words }: PublicPlace,
  [operatorSecret]: readonly bigint[],
): bigint | undefined {
  const ciphertext = ciphertextFromWords(words);
  if (kind !== 'createAccount' || ciphertext === undefined || operatorSecret === undefined) return undefined;
  return decrypt(ciphertext, 'operator', operatorSecret)[0];
}

/** What chain and keys say, true or not: at most one operation for each key, as it is not known which one a text is for. */
export function* readOperations(
  place: PublicPlace,
  { nonce, operatorSecrets, consentDomain }: TextReading,
): Generator<SignedKind> {
  const { kind, accountId: fromAccountId, tokenId, amount, recipient: toEthereumAddress } = place;
  if (kind === 'outboundTransfer') {
    yield { kind, fromAccountId, toEthereumAddress, tokenId, amount, nonce };
    return;
  }
  const ciphertext = ciphertextFromWords(place.words);
  if (ciphertext === undefined || kind === 'credit') return;
  for (const secret of operatorSecrets) {
    const operation =
      kind === 'setConsent'
        ? readChange(place, { ciphertext, nonce, secret, domain: consentDomain })
        : readText(kind, { ciphertext, nonce, secret, isCredited: place.orderHash === 0n });
    if (operation !== undefined) yield operation;
  }
}

interface Text {
  readonly ciphertext: Ciphertext;
  readonly nonce: number;
  readonly secret: bigint;
}

/** A text that does not open its consent is its holder's affair: what comes is no credit then. */
function readChange(
  { accountId }: PublicPlace,
  { ciphertext, nonce, secret, domain }: Text & { readonly domain: bigint | undefined },
): SignedKind | undefined {
  if (domain === undefined) return undefined;
  const read = readConsentWords(domain, decrypt(ciphertext, 'operator', secret));
  return read && { kind: 'setConsent', accountId, ...read, nonce, ciphertext };
}

/** Of a payment that is an order the chain does not say whether it might have been credited. */
function readText(
  kind: Exclude<SignedKind['kind'], 'outboundTransfer' | 'setConsent'>,
  { ciphertext, nonce, secret, isCredited }: Text & { readonly isCredited: boolean },
): SignedKind | undefined {
  const said = decrypt(ciphertext, 'operator', secret);
  if (kind === 'createAccount') {
    const creation = creationOfWords(said, multiplyGenerator(secret));
    return creation && { kind, ...creation, ciphertext };
  }
  const order = moneyOrderOfWords(said);
  if (order === undefined) return undefined;
  if (kind === 'createMoneyOrder')
    return { kind, order, nonce, ciphertext, ...(isCredited ? { isDirect: true } : {}) };
  const index = said[5];
  if (index === undefined || index >> 48n !== 0n) return undefined;
  return { kind, order, totalIndex: Number(index), nonce, ciphertext };
}

/** The order that a place makes, whatever is known of the account that makes it. */
export function readOrder(place: PublicPlace, operatorSecrets: readonly bigint[]): MoneyOrder | undefined {
  if (place.kind !== 'createMoneyOrder') return undefined;
  const said = { nonce: 0, operatorSecrets, consentDomain: undefined };
  for (const operation of readOperations(place, said)) {
    if (operation.kind !== 'createMoneyOrder' || !isStorable(place, operation.order)) continue;
    if (moneyOrderHash(operation.order) === place.orderHash) return operation.order;
  }
  return undefined;
}

/** The circuit knows receivers of 32 bits, of which there are accounts of 28, and transfers out with a text. */
export function isStorable(place: PublicPlace, order: MoneyOrder | undefined): boolean {
  if (place.kind === 'outboundTransfer') return !hasText(place);
  return order === undefined || order.toAccountId < MAX_ACCOUNTS;
}

/** Whether there is a text, which transfers out have only where they were not accepted here. */
export const hasText = ({ words }: PublicPlace) => words.some((word) => word !== 0n);
