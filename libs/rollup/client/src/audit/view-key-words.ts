import {
  decodeJointKey,
  decodePoint,
  decodeWord,
  encodeJointKey,
  encodePoint,
  encodeWord,
  isFieldElement,
  type Point,
} from '@tetrad/rollup-crypto';
import { AMOUNT_LIMIT } from '@tetrad/rollup-state';
import { bytesFromHex, hexFromBytes, parseAddress } from '@tetrad/types';
import { DisclosureError } from './disclosure-error.js';
import type { ViewKeyText } from './view-key-schema.js';
import type { OpenedPayment, OpenedReceipt, Opening, SharedKeys, ViewKey } from './view-key.js';

/** The values of a view key as the texts of its file, and back. */

const hexWord = (word: bigint) => hexFromBytes(encodeWord(word));
const hexWords = (words: readonly bigint[]) => words.map(hexWord);

/**
 * A view key as it is written.
 *
 * @param viewKey - what is disclosed
 * @returns the object of the file
 */
export function encodeViewKey(viewKey: ViewKey): ViewKeyText {
  const { account, auditor, purpose, contract, period, closing } = viewKey;
  return {
    version: 2,
    chainId: String(viewKey.chainId),
    contract,
    auditor,
    purpose,
    period,
    account: {
      id: account.id,
      publicKey: hexFromBytes(encodePoint(account.publicKey)),
      jointKey: hexFromBytes(encodeJointKey(account.jointKey)),
    },
    opening: encodeOpening(viewKey.opening),
    closing: { siblings: hexWords(closing.siblings) },
    sent: viewKey.sent.map((order) => ({
      at: order.at,
      toAccountId: order.toAccountId,
      ...encodeHidden(order),
    })),
    redeemed: viewKey.redeemed.map(({ at, orderIndex }) => ({ at, orderIndex })),
    withdrawn: viewKey.withdrawn.map((one) => ({ ...one, amount: String(one.amount) })),
    consents: viewKey.consents.map(({ at, consent }) => ({ at, consent: hexWord(consent) })),
    credited: viewKey.credited.map((one) => ({ ...one, amount: String(one.amount) })),
    received: viewKey.received.map(encodeReceipt),
    circuit: viewKey.circuit,
    leafProofs: viewKey.leafProofs.map(hexFromBytes),
    sharedKeys: viewKey.sharedKeys === undefined ? null : encodeShared(viewKey.sharedKeys),
  };
}

type Hidden = Pick<OpenedPayment, 'tokenId' | 'amount' | 'blindingFactor'>;
type HiddenText = Pick<ViewKeyText['sent'][number], 'tokenId' | 'amount' | 'blindingFactor'>;

function encodeHidden({ tokenId, amount, blindingFactor }: Hidden): HiddenText {
  return { tokenId, amount: String(amount), blindingFactor: hexWord(blindingFactor) };
}

function encodeReceipt({ proof, ...order }: OpenedReceipt): ViewKeyText['received'][number] {
  const way =
    proof === undefined
      ? null
      : { siblings: hexWords(proof.siblings), historySiblings: hexWords(proof.historySiblings) };
  return { at: order.at, fromAccountId: order.fromAccountId, ...encodeHidden(order), proof: way };
}

function encodeOpening({ accountRoot, frontier, deposits, account }: Opening): ViewKeyText['opening'] {
  const before =
    account === undefined
      ? null
      : {
          leaf: hexWord(account.leaf),
          nonce: account.nonce,
          redemptionIndex: account.redemptionIndex,
          balances: [...account.balances].map(([token, amount]): [number, string] => [token, String(amount)]),
          consent: hexWord(account.consent),
          siblings: hexWords(account.siblings),
        };
  return { accountRoot: hexWord(accountRoot), frontier: hexWords(frontier), deposits, account: before };
}

function encodeShared({ keys, proof }: SharedKeys): NonNullable<ViewKeyText['sharedKeys']> {
  const points = keys.map((key) => hexFromBytes(encodePoint(key)));
  return { keys: points, e: hexWord(proof.e), s: hexWord(proof.s) };
}

/**
 * A view key as it is read: words below the modulus, points on the curve.
 *
 * @param text - the object of a file, in the form of the schema
 * @returns what it discloses
 * @throws DisclosureError naming the field that cannot be
 */
export function decodeViewKey(text: ViewKeyText): ViewKey {
  const { auditor, purpose, period, account } = text;
  if (period.from > period.to || period.fromBlock > period.toBlock)
    throw new DisclosureError('period', 'ends before it begins');
  const jointKey = decodeJointKey(bytesFromHex(account.jointKey));
  if (jointKey === undefined) throw new DisclosureError('account.jointKey', 'is not two points of the curve');
  return {
    chainId: BigInt(text.chainId),
    contract: parseAddress(text.contract),
    auditor,
    purpose,
    period,
    account: { id: account.id, publicKey: pointOf(account.publicKey, 'account.publicKey'), jointKey },
    opening: decodeOpening(text.opening),
    closing: { siblings: wordsOf(text.closing.siblings, 'closing.siblings') },
    sent: text.sent.map((order, index) => ({
      at: order.at,
      toAccountId: order.toAccountId,
      ...decodeHidden(order, `sent.${index}`),
    })),
    redeemed: text.redeemed,
    withdrawn: text.withdrawn.map((one, index) => ({
      ...one,
      toEthereumAddress: parseAddress(one.toEthereumAddress),
      amount: amountOf(one.amount, `withdrawn.${index}`),
    })),
    consents: text.consents.map(({ at, consent }, index) => ({
      at,
      consent: wordsOf([consent], `consents.${index}.consent`)[0] as bigint,
    })),
    credited: text.credited.map((one, index) => ({
      ...one,
      amount: amountOf(one.amount, `credited.${index}`),
    })),
    received: text.received.map((order, index) => decodeReceipt(order, `received.${index}`)),
    circuit: text.circuit,
    leafProofs: text.leafProofs.map((proof) => bytesFromHex(proof)),
    sharedKeys: text.sharedKeys === null ? undefined : decodeShared(text.sharedKeys),
  };
}

function decodeHidden(order: HiddenText, place: string): Hidden {
  const [blindingFactor] = wordsOf([order.blindingFactor], `${place}.blindingFactor`) as [bigint];
  return { tokenId: order.tokenId, amount: amountOf(order.amount, place), blindingFactor };
}

function decodeReceipt({ proof, ...order }: ViewKeyText['received'][number], place: string): OpenedReceipt {
  const way =
    proof === null
      ? undefined
      : {
          siblings: wordsOf(proof.siblings, `${place}.proof.siblings`),
          historySiblings: wordsOf(proof.historySiblings, `${place}.proof.historySiblings`),
        };
  return { at: order.at, fromAccountId: order.fromAccountId, ...decodeHidden(order, place), proof: way };
}

function decodeOpening({ account, ...opening }: ViewKeyText['opening']): Opening {
  const [accountRoot] = wordsOf([opening.accountRoot], 'opening.accountRoot');
  const frontier = wordsOf(opening.frontier, 'opening.frontier');
  const common = { accountRoot: accountRoot as bigint, frontier, deposits: opening.deposits };
  if (account === null) return { ...common, account: undefined };
  const [leaf] = wordsOf([account.leaf], 'opening.account.leaf');
  const balances = new Map(
    account.balances.map(([token, amount]) => [token, amountOf(amount, 'opening.account.balances')]),
  );
  if (balances.size !== account.balances.length)
    throw new DisclosureError('opening.account.balances', 'has a token twice');
  const siblings = wordsOf(account.siblings, 'opening.account.siblings');
  const [consent] = wordsOf([account.consent], 'opening.account.consent') as [bigint];
  const { nonce, redemptionIndex } = account;
  const opened = { leaf: leaf as bigint, nonce, redemptionIndex, balances, consent, siblings };
  return { ...common, account: opened };
}

function decodeShared({ keys, e, s }: NonNullable<ViewKeyText['sharedKeys']>): SharedKeys {
  const points = keys.map((key, index) => pointOf(key, `sharedKeys.keys.${index}`));
  return { keys: points, proof: { e: BigInt(e), s: BigInt(s) } };
}

function pointOf(text: string, place: string): Point {
  const point = decodePoint(bytesFromHex(text));
  if (point === undefined) throw new DisclosureError(place, 'is not a point of the curve');
  return point;
}

function wordsOf(texts: readonly string[], place: string): bigint[] {
  const words = texts.map((text) => decodeWord(bytesFromHex(text)));
  if (!words.every(isFieldElement)) throw new DisclosureError(place, 'is not below the modulus of the field');
  return words;
}

function amountOf(text: string, place: string): bigint {
  const amount = BigInt(text);
  if (amount >= AMOUNT_LIMIT) throw new DisclosureError(place, 'an amount is below 2^64');
  return amount;
}
