import { readFileSync } from 'node:fs';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { describe, expect, it } from '@jest/globals';
import { walletVectors } from '../../src/testing/wallet-vectors.js';
import { H, constants } from './hash.js';
import {
  G,
  NO_TEXT,
  accountKeyOf,
  balancesRoot,
  bytes,
  domainOf,
  encrypted,
  encryptionKeyOf,
  factorOf,
  hex,
  isSignature,
  opened,
  operationHash,
  pointHex,
  pointOf,
  rootOf,
  signature,
  wordsOf,
  type Kind,
} from './wallet.js';

interface KeyVector {
  readonly secret: string;
  readonly address: string;
  readonly accountKey: string;
  readonly publicKey: string;
  readonly encryptionKey: string;
  readonly encryptionPoint: string;
  readonly randomizationFactors: readonly {
    readonly nonce: number;
    readonly attempt: number;
    readonly factor: string;
  }[];
}

interface OperationVector {
  readonly kind: Kind;
  readonly signer: number;
  readonly plaintext?: readonly string[];
  readonly randomizationFactor?: string;
  readonly ciphertext?: string;
  readonly ciphertextHash: string;
  readonly operationHash: string;
  readonly signingNonce: string;
  readonly signature: string;
  readonly request: { readonly method: string; readonly params: readonly (string | number | null)[] };
}

interface OperationVectors {
  readonly rollup: {
    readonly chainId: number;
    readonly contract: string;
    readonly domain: string;
    readonly operatorKey: string;
  };
  readonly operations: readonly OperationVector[];
}

interface ProofVectors {
  readonly account: {
    readonly stateRoot: string;
    readonly answer: {
      readonly id: number;
      readonly nonce: number;
      readonly redemptionIndex: number;
      readonly publicKey: string;
      readonly jointEncryptionKey: string;
      readonly blindingFactor: string;
      readonly consent: string;
      readonly terms: {
        readonly tokenId: number;
        readonly minimum: number;
        readonly untilHeight: number;
        readonly secret: string;
      };
      readonly balances: Readonly<Record<string, string>>;
      readonly merkleProof: readonly string[];
    };
  };
  readonly moneyOrder: {
    readonly ordersRoot: string;
    readonly answer: {
      readonly moneyOrder: Readonly<Record<string, string | number>>;
      readonly moneyOrderTotalIndex: number;
      readonly merkleProof: readonly string[];
    };
  };
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../vectors/${name}`, import.meta.url), 'utf8'));
const keys = read('keys.json') as readonly KeyVector[];
const { rollup, operations } = read('operations.json') as OperationVectors;
const proofs = read('proofs.json') as ProofVectors;
const domain = BigInt(rollup.domain);
const operatorKey = pointOf(rollup.operatorKey);

it('the vectors are those that the library makes', async () => {
  const made = await walletVectors();
  expect(Object.keys(made).length).toBeGreaterThan(6);
  for (const [name, value] of Object.entries(made))
    expect([name, read(name)]).toEqual([name, JSON.parse(JSON.stringify(value))]);
});

// From here on nothing of the libraries is used but the vectors: what the page for authors of wallets says is enough.
describe('an implementation from the page for authors of wallets', () => {
  it('hashes', () => {
    const cases = read('hash.json') as readonly {
      readonly words: readonly string[];
      readonly hash: string;
    }[];
    for (const { words, hash } of cases) expect(hex(H(...words.map(BigInt)))).toBe(hash);
    expect(cases.length).toBeGreaterThan(5);
  });

  it('derives the constants that the data has', () => {
    const { poseidon2 } = read('constants.json') as {
      readonly poseidon2: { readonly roundConstants: readonly string[] };
    };
    expect(constants().map((constant) => hex(constant))).toEqual(poseidon2.roundConstants);
  });

  it('multiplies', () => {
    const { point, products } = read('products.json') as {
      readonly point: string;
      readonly products: readonly { readonly scalar: string; readonly product: string }[];
    };
    for (const { scalar, product } of products)
      expect([scalar, pointHex(pointOf(point).multiply(BigInt(scalar)))]).toEqual([scalar, product]);
    expect(products.length).toBeGreaterThan(30);
  });

  it.each(keys)('makes the keys of $secret', (one) => {
    const [accountKey, encryptionKey] = [accountKeyOf(one.secret), encryptionKeyOf(one.secret)];
    expect([hex(accountKey), hex(encryptionKey)]).toEqual([one.accountKey, one.encryptionKey]);
    expect(pointHex(G.multiply(accountKey))).toBe(one.publicKey);
    expect(pointHex(G.multiply(encryptionKey))).toBe(one.encryptionPoint);
    const ethereumKey = secp256k1.getPublicKey(bytes(one.secret), false).subarray(1);
    expect(`0x${Buffer.from(keccak_256(ethereumKey)).toString('hex').slice(24)}`).toBe(one.address);
    for (const { nonce, attempt, factor } of one.randomizationFactors)
      expect(hex(factorOf(accountKey, domain, nonce, attempt))).toBe(factor);
  });

  it('knows which rollup it signs for', () => {
    expect(hex(domainOf(rollup.chainId, rollup.contract))).toBe(rollup.domain);
  });

  it.each(operations.map((operation, place) => ({ ...operation, place })))(
    'encrypts, hashes and signs $kind, number $place, and writes its request',
    (vector) => {
      const key = keys[vector.signer] as KeyVector;
      const made = madeFrom(vector, key);
      expect(made.text?.bytes).toBe(vector.ciphertext);
      expect(hex(H(...(made.text?.fifteen ?? NO_TEXT)))).toBe(vector.ciphertextHash);
      const hash = operationHash(domain, {
        kind: vector.kind,
        fields: made.fields,
        fifteen: made.text?.fifteen ?? NO_TEXT,
      });
      expect(hex(hash)).toBe(vector.operationHash);
      expect(signature(BigInt(key.accountKey), hash, BigInt(vector.signingNonce))).toBe(vector.signature);
      expect(isSignature(pointOf(key.publicKey), hash, vector.signature)).toBe(true);
      expect(isSignature(pointOf(key.publicKey), hash + 1n, vector.signature)).toBe(false);
    },
  );

  it('opens what is encrypted to it', () => {
    const payment = operations.find(({ kind }) => kind === 'createMoneyOrder') as OperationVector;
    const said = opened(payment.ciphertext as string, BigInt((keys[1] as KeyVector).encryptionKey));
    expect(said.map((word) => hex(word))).toEqual(payment.plaintext);
    const other = opened(payment.ciphertext as string, BigInt((keys[0] as KeyVector).encryptionKey));
    expect(other.map((word) => hex(word))).not.toEqual(payment.plaintext);
  });

  it('checks the proof of an account', () => {
    const { answer, stateRoot } = proofs.account;
    expect(hex(stateRootOf(answer))).toBe(stateRoot);
    const richer = { ...answer, balances: { ...answer.balances, 0: '99999999' } };
    expect(hex(stateRootOf(richer))).not.toBe(stateRoot);
    expect(hex(stateRootOf({ ...answer, nonce: answer.nonce + 1 }))).not.toBe(stateRoot);
    expect(hex(stateRootOf({ ...answer, consent: '0x0' }))).not.toBe(stateRoot);
    const { minimum, untilHeight, tokenId, secret } = answer.terms;
    const said = [minimum, untilHeight, tokenId, secret].map(BigInt) as [bigint, bigint, bigint, bigint];
    const [least, until, token, word] = said;
    expect(hex(consentOf({ minimum: least, until, token, secret: word }))).toBe(answer.consent);
  });

  it('checks the proof of a money order', () => {
    const { answer, ordersRoot } = proofs.moneyOrder;
    const { moneyOrder } = answer;
    expect(hex(ordersRootOf(answer))).toBe(ordersRoot);
    const more = { ...answer, moneyOrder: { ...moneyOrder, amount: Number(moneyOrder['amount']) + 1 } };
    expect(hex(ordersRootOf(more))).not.toBe(ordersRoot);
    expect(hex(ordersRootOf({ ...answer, moneyOrderTotalIndex: answer.moneyOrderTotalIndex + 1 }))).not.toBe(
      ordersRoot,
    );
  });
});

/** Fields and text of an operation, from the parameters of its request that a person chooses. */
function madeFrom(vector: OperationVector, key: KeyVector) {
  const { kind, request, randomizationFactor = '0x0' } = vector;
  const params = request.params;
  const number = (...places: readonly number[]) =>
    places.map((place) => BigInt(params[place] as string | number));
  const own = [pointOf(key.encryptionPoint), operatorKey] as const;
  const rho = BigInt(randomizationFactor);
  switch (kind) {
    case 'createAccount': {
      const [account, user] = [pointOf(key.publicKey), pointOf(key.encryptionPoint)];
      expect(params.slice(0, 2)).toEqual([
        pointHex(account),
        `${pointHex(user)}${pointHex(operatorKey).slice(2)}`,
      ]);
      const [blinding] = number(2) as [bigint];
      const text = encrypted([blinding, account.x, account.y, user.x, user.y], own, rho);
      expect(params.slice(3)).toEqual([text.bytes, randomizationFactor, vector.signature]);
      return { text, fields: [...wordsOf(String(params[0])), ...wordsOf(String(params[1])), blinding] };
    }
    case 'createMoneyOrder': {
      const receiver = keys.find((one) => one !== key) as KeyVector;
      const order = number(0, 1, 2, 3, 4);
      expect(factorOf(BigInt(key.accountKey), domain, Number(params[7]), 0)).toBe(rho);
      const text = encrypted(order, [pointOf(receiver.encryptionPoint), operatorKey], rho);
      expect(params.slice(5)).toEqual([text.bytes, randomizationFactor, params[7], vector.signature]);
      const isDirect = request.method === 'rollup_createDirectMoneyOrder';
      return { text, fields: [...order, ...number(7), ...(isDirect ? [1n] : [])] };
    }
    case 'redeemMoneyOrder': {
      const words = number(0, 1, 2, 3, 4, 5);
      const text = encrypted(words, own, rho);
      expect(params.slice(7)).toEqual([text.bytes, randomizationFactor, vector.signature, null]);
      return { text, fields: [...words, ...number(6)] };
    }
    case 'setConsent': {
      const [account, token, minimum, until, secret, nonce] = number(0, 1, 2, 3, 4, 7) as [
        ...[bigint, bigint, bigint, bigint, bigint, bigint],
      ];
      const consent = consentOf({ minimum, until, token, secret });
      const text = encrypted([consent, minimum, until, token, secret], own, rho);
      expect(params.slice(5)).toEqual([text.bytes, randomizationFactor, params[7], vector.signature]);
      return { text, fields: [account, consent, 0n, 0n, nonce] };
    }
    case 'outboundTransfer':
      expect(params[5]).toBe(vector.signature);
      return { text: undefined, fields: number(0, 1, 2, 3, 4) };
  }
}

interface Consented {
  readonly minimum: bigint;
  readonly until: bigint;
  readonly token: bigint;
  readonly secret: bigint;
}

const consentOf = ({ minimum, until, token, secret }: Consented) =>
  H(domain * 8n + 7n, minimum, until, token, secret, 0n, 0n, 0n, 0n);

function stateRootOf(answer: ProofVectors['account']['answer']): bigint {
  const { id, nonce, redemptionIndex, blindingFactor } = answer;
  const leaf = H(
    BigInt(id),
    ...wordsOf(answer.publicKey),
    H(...wordsOf(answer.jointEncryptionKey)),
    balancesRoot(answer.balances),
    ...[nonce, redemptionIndex, blindingFactor, answer.consent].map(BigInt),
  );
  const siblings = answer.merkleProof.map(BigInt);
  expect(siblings).toHaveLength(29);
  return H(rootOf(leaf, id, siblings.slice(0, 28)), siblings[28] as bigint);
}

function ordersRootOf({
  moneyOrder,
  moneyOrderTotalIndex,
  merkleProof,
}: ProofVectors['moneyOrder']['answer']): bigint {
  const fields = ['fromAccountId', 'toAccountId', 'tokenId', 'amount', 'blindingFactor'];
  const leaf = H(...fields.map((name) => BigInt(moneyOrder[name] as string | number)));
  expect(merkleProof).toHaveLength(12);
  return rootOf(leaf, moneyOrderTotalIndex % 2 ** 16, merkleProof.map(BigInt));
}
