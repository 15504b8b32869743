import { weierstrass } from '@noble/curves/abstract/weierstrass.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { H, P } from './hash.js';

/** Keys, texts, signatures and proofs by the text of docs/spec/rollup-wallets.md alone. */

export const N = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n;
const Grumpkin = weierstrass({
  p: P,
  n: N,
  h: 1n,
  a: 0n,
  b: P - 17n,
  Gx: 1n,
  Gy: 0x2cf135e7506a45d632d270d45f1181294833fc48d823f272cn,
});
export type Point = InstanceType<typeof Grumpkin>;
export const G = Grumpkin.BASE;

export const hex = (...words: readonly bigint[]) =>
  `0x${words.map((one) => one.toString(16).padStart(64, '0')).join('')}`;
export const bytes = (text: string) => new Uint8Array(Buffer.from(text.slice(2), 'hex'));
export const pointHex = ({ x, y }: Point) => hex(x, y);
export const wordsOf = (text: string) =>
  (text.slice(2).match(/.{64}/g) ?? []).map((digits) => BigInt(`0x${digits}`));
export function pointOf(text: string): Point {
  const [x, y] = wordsOf(text) as [bigint, bigint];
  const point = Grumpkin.fromAffine({ x, y });
  point.assertValidity();
  return point;
}

const scalarOf = (digest: Uint8Array) => (BigInt(`0x${Buffer.from(digest).toString('hex')}`) % (N - 1n)) + 1n;
const keyOf = (secret: string, info: string) =>
  scalarOf(hkdf(sha512, bytes(secret), undefined, new TextEncoder().encode(info), 64));

export const accountKeyOf = (secret: string) => keyOf(secret, 'tetrad rollup account key');
export const encryptionKeyOf = (secret: string) => keyOf(secret, 'tetrad rollup encryption key');

export function domainOf(chainId: number, contract: string): bigint {
  const input = bytes(`${hex(BigInt(chainId))}${contract.slice(2).padStart(64, '0')}`);
  return BigInt(`0x${Buffer.from(keccak_256(input)).toString('hex')}`) >> 8n;
}

export const factorOf = (accountKey: bigint, domain: bigint, nonce: number, attempt: number) =>
  scalarOf(hmac(sha512, bytes(hex(accountKey)), bytes(hex(domain, BigInt(nonce), BigInt(attempt)))));

/** A text for the two halves of a joint key. */
export interface Text {
  readonly bytes: string;
  readonly fifteen: readonly bigint[];
}

export function encrypted(
  words: readonly bigint[],
  [user, operator]: readonly [Point, Point],
  rho: bigint,
): Text {
  const C0 = G.multiply(rho);
  const masked = [user, operator].flatMap((half) => {
    const K = half.multiply(rho);
    return words.map((word, place) => (word + H(K.x, K.y, BigInt(place))) % P);
  });
  const count = BigInt(words.length);
  const all = [count, C0.x, C0.y, ...masked];
  return {
    bytes: `0x${count.toString(16).padStart(16, '0')}${hex(...all.slice(1)).slice(2)}`,
    fifteen: [...all, ...Array.from({ length: 15 - all.length }, () => 0n)],
  };
}

/** What the user's half says. */
export function opened(text: string, encryptionKey: bigint): bigint[] {
  const count = Number(BigInt(text.slice(0, 18)));
  const words = wordsOf(`0x${text.slice(18)}`);
  const K = Grumpkin.fromAffine({ x: words[0] as bigint, y: words[1] as bigint }).multiply(encryptionKey);
  return words.slice(2, 2 + count).map((word, place) => (word + P - H(K.x, K.y, BigInt(place))) % P);
}

const KINDS = {
  createAccount: 1n,
  createMoneyOrder: 2n,
  redeemMoneyOrder: 3n,
  outboundTransfer: 4n,
  setConsent: 6n,
};
export type Kind = keyof typeof KINDS;
export const NO_TEXT = Array.from({ length: 15 }, () => 0n);

export function operationHash(
  domain: bigint,
  {
    kind,
    fields,
    fifteen,
  }: { readonly kind: Kind; readonly fields: readonly bigint[]; readonly fifteen: readonly bigint[] },
): bigint {
  const padded = Array.from({ length: 7 }, (_, place) => fields[place] ?? 0n);
  return H(domain * 8n + KINDS[kind], ...padded, H(...fifteen));
}

export function signature(accountKey: bigint, message: bigint, k: bigint): string {
  const [R, publicKey] = [G.multiply(k), G.multiply(accountKey)];
  const e = H(R.x, R.y, publicKey.x, publicKey.y, message);
  return hex(R.x, R.y, (k + e * accountKey) % N);
}

export function isSignature(publicKey: Point, message: bigint, text: string): boolean {
  const [x, y, s] = wordsOf(text) as [bigint, bigint, bigint];
  const R = Grumpkin.fromAffine({ x, y });
  const e = H(x, y, publicKey.x, publicKey.y, message);
  return G.multiply(s).equals(R.add(publicKey.multiply(e % N)));
}

export function rootOf(leaf: bigint, index: number, siblings: readonly bigint[]): bigint {
  return siblings.reduce(
    (node, sibling, level) =>
      Math.floor(index / 2 ** level) % 2 === 1 ? H(sibling, node) : H(node, sibling),
    leaf,
  );
}

/**
 * Root of a whole tree of depth 8.
 * @param balances - token id → balance
 */
export function balancesRoot(balances: Readonly<Record<string, string>>): bigint {
  let level = Array.from({ length: 2 ** 8 }, (_, token) => BigInt(balances[token] ?? 0));
  while (level.length > 1)
    level = Array.from({ length: level.length / 2 }, (_, place) =>
      H(level[2 * place] as bigint, level[2 * place + 1] as bigint),
    );
  return level[0] as bigint;
}
