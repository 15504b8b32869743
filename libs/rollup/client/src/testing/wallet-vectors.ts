import {
  FIELD_MODULUS,
  GROUP_ORDER,
  deriveRandomizationFactor,
  encodePoint,
  encodeWord,
  hashWords,
  multiplyGenerator,
  multiplyPoint,
} from '@tetrad/rollup-crypto';
import { hexFromBytes } from '@tetrad/types';
import { deriveRollupKeys } from '../keys/rollup-keys.js';
import { executedVectors } from './executed-vectors.js';
import { exitVectors } from './exit-vectors.js';
import { constantsVector, contractVector } from './parameter-vectors.js';
import { proofVectors } from './proof-vectors.js';
import { SIGNED, signedVectors } from './signed-vectors.js';

/** Numbers of 32 bytes, as hex. */
const word = (value: bigint) => hexFromBytes(encodeWord(value));

/** File name → what it holds: all that an implementation in another language needs, and is checked against. */
export async function walletVectors(): Promise<Readonly<Record<string, unknown>>> {
  const signed = signedVectors();
  const operations = signed.map(({ operation }) => operation);
  const payment = operations.find(({ kind }) => kind === 'createMoneyOrder');
  if (payment?.kind !== 'createMoneyOrder') throw new TypeError('no operation is a payment');
  const executed = executedVectors(operations);
  return {
    'constants.json': constantsVector(),
    'contract.json': await contractVector(),
    'hash.json': hashVectors(),
    'products.json': productVectors(),
    'keys.json': [1, 2].map(keyVector),
    'operations.json': { rollup: rollupVector(), operations: signed.map(({ vector }) => vector) },
    'proofs.json': proofVectors(executed, payment),
    'exits.json': await exitVectors(executed, payment.order),
  };
}

function hashVectors(): unknown {
  const lengths = [0, 1, 2, 3, 4, 5, 7, 9, 15];
  const words = (length: number) => Array.from({ length }, (_, index) => FIELD_MODULUS - 1n - BigInt(index));
  return lengths.map((length) => ({ words: words(length).map(word), hash: word(hashWords(words(length))) }));
}

/** Products of one point, among them those for which the formulas of additions are not enough. */
function productVectors(): unknown {
  const point = multiplyGenerator(1_000_003n);
  const half = (GROUP_ORDER - 1n) / 2n;
  const small = Array.from({ length: 17 }, (_, index) => BigInt(index + 1));
  const scalars = [...small, half, half + 1n, ...small.map((lacking) => GROUP_ORDER - lacking)];
  const products = scalars.map((scalar) => ({
    scalar: word(scalar),
    product: hexFromBytes(encodePoint(multiplyPoint(point, scalar))),
  }));
  return { point: hexFromBytes(encodePoint(point)), products };
}

/** Keys of the secret whose bytes are all the same. */
function keyVector(byte: number): unknown {
  const secret = new Uint8Array(32).fill(byte);
  const keys = deriveRollupKeys(secret);
  return {
    secret: hexFromBytes(secret),
    address: keys.address,
    accountKey: word(keys.secretKey),
    publicKey: hexFromBytes(encodePoint(keys.publicKey)),
    encryptionKey: word(keys.encryptionKey),
    encryptionPoint: hexFromBytes(encodePoint(keys.encryptionPoint)),
    randomizationFactors: [
      [2, 0],
      [2, 1],
    ].map(([nonce = 0, attempt = 0]) => ({
      nonce,
      attempt,
      factor: word(deriveRandomizationFactor(keys.secretKey, { domain: SIGNED.domain, nonce, attempt })),
    })),
  };
}

function rollupVector(): unknown {
  const { chainId, contract, domain, operatorSecret } = SIGNED;
  const operatorKey = hexFromBytes(encodePoint(multiplyGenerator(operatorSecret)));
  return { chainId: Number(chainId), contract, domain: word(domain), operatorKey };
}
