import {
  GROUP_ORDER,
  ciphertextHash,
  consentHash,
  deriveRandomizationFactor,
  encodeCiphertext,
  encodeSignature,
  encodeWord,
  encrypt,
  inboundMoneyOrder,
  modulo,
  multiplyGenerator,
  operationHash,
  operationPlaintext,
  rollupDomain,
  signatureChallenge,
  totalIndex,
  type JointKey,
  type Signature,
  type SignedKind,
} from '@tetrad/rollup-crypto';
import type { RollupOperation } from '@tetrad/rollup-state';
import { hexFromBytes, parseAddress } from '@tetrad/types';
import { deriveRollupKeys, jointKeyOf, type RollupKeys } from '../keys/rollup-keys.js';
import {
  accountCreationParams,
  consentCall,
  moneyOrderCall,
  outboundTransferCall,
  redemptionCall,
} from '../operations/operation-call.js';

const contract = parseAddress('0x5fbdb2315678afecb367f032d93f642f64180aa3');
const chainId = 1337n;

/** The rollup for which the operations are signed. */
export const SIGNED = { chainId, contract, domain: rollupDomain(chainId, contract), operatorSecret: 23n };

export const operatorKey = multiplyGenerator(SIGNED.operatorSecret);
const [alice, bob] = [1, 2].map((byte) => deriveRollupKeys(new Uint8Array(32).fill(byte))) as [
  RollupKeys,
  RollupKeys,
];
/** By account id less one. */
export const HOLDERS: readonly RollupKeys[] = [alice, bob];
export const DEPOSIT = { index: 0, accountId: 1, tokenId: 0, amount: 2n ** 60n + 7n };

interface SignedVector {
  readonly operation: RollupOperation;
  readonly vector: unknown;
}

type WithoutText = SignedKind extends infer Kind
  ? Kind extends unknown
    ? Omit<Kind, 'ciphertext'>
    : never
  : never;

/** What the second account consents to. */
export const CONSENT = { minimum: 500n, untilHeight: 1_000, tokenId: 0, secret: 1003n };

/**
 * Two accounts, a redeemed deposit, a payment, a transfer out, a consent and a payment that is credited by it, in the order in which they
 * can be executed.
 */
export function signedVectors(): readonly SignedVector[] {
  const creation = (keys: RollupKeys, blindingFactor: bigint) => ({
    kind: 'createAccount' as const,
    publicKey: keys.publicKey,
    blindingFactor,
    jointKey: jointKeyOf(keys, operatorKey),
  });
  const payment = { fromAccountId: 1, toAccountId: 2, tokenId: 0, amount: 2500n, blindingFactor: 77n };
  const direct = { ...payment, amount: 700n, blindingFactor: 78n };
  const own = jointKeyOf(alice, operatorKey);
  const ownOfBob = jointKeyOf(bob, operatorKey);
  const consent = consentHash(SIGNED.domain, CONSENT);
  const factorOf = (nonce: number) =>
    deriveRandomizationFactor(alice.secretKey, { domain: SIGNED.domain, nonce, attempt: 0 });
  const paid = { fromAccountId: 1, toEthereumAddress: contract, tokenId: 0, amount: 4000n, nonce: 3 };
  return [
    signed(alice, creation(alice, 1001n), { accountId: 1, readers: own, factor: 501n }),
    signed(bob, creation(bob, 1002n), { accountId: 2, readers: ownOfBob, factor: 502n }),
    signed(
      alice,
      { kind: 'redeemMoneyOrder', order: inboundMoneyOrder(DEPOSIT), totalIndex: totalIndex(2, 0), nonce: 1 },
      { readers: own, factor: 503n },
    ),
    signed(
      alice,
      { kind: 'createMoneyOrder', order: payment, nonce: 2 },
      { readers: ownOfBob, factor: factorOf(2) },
    ),
    signed(alice, { kind: 'outboundTransfer', ...paid }, {}),
    signed(
      bob,
      { kind: 'setConsent', accountId: 2, consent, terms: CONSENT, nonce: 1 },
      { readers: ownOfBob, factor: 505n },
    ),
    signed(
      alice,
      { kind: 'createMoneyOrder', order: direct, nonce: 4, isDirect: true },
      { readers: ownOfBob, factor: factorOf(4) },
    ),
  ];
}

interface Signing {
  /** Account id of a new account. */
  readonly accountId?: number;
  /** Who reads the text, and its randomization factor; a transfer out has none. */
  readonly readers?: JointKey;
  readonly factor?: bigint;
}

function signed(
  keys: RollupKeys,
  fields: WithoutText,
  { accountId, readers, factor }: Signing,
): SignedVector {
  const words = fields.kind === 'outboundTransfer' ? undefined : operationPlaintext(fields as never);
  const ciphertext = words === undefined ? undefined : encrypt(words, readers as JointKey, factor as bigint);
  const operation = { ...fields, ...(ciphertext && { ciphertext }) } as SignedKind;
  const hash = operationHash(SIGNED.domain, operation);
  const signingNonce = 900n + BigInt(factor ?? 4n);
  const signature = signatureOf(keys, hash, signingNonce);
  const text = ciphertext && {
    plaintext: words?.map(word),
    randomizationFactor: word(factor as bigint),
    ciphertext: hexFromBytes(encodeCiphertext(ciphertext)),
  };
  return {
    operation: {
      ...operation,
      signature,
      ...(accountId === undefined ? {} : { accountId }),
    } as RollupOperation,
    vector: {
      kind: fields.kind,
      signer: keys === alice ? 0 : 1,
      ...text,
      ciphertextHash: word(ciphertextHash(ciphertext)),
      operationHash: word(hash),
      signingNonce: word(signingNonce),
      signature: hexFromBytes(encodeSignature(signature)),
      request: requestOf({ operation, hash, signature, randomizationFactor: factor as bigint }),
    },
  };
}

/** With a nonce that everyone can see, which no wallet may do. */
export function signatureOf({ secretKey, publicKey }: RollupKeys, hash: bigint, nonce: bigint): Signature {
  const R = multiplyGenerator(nonce);
  return { R, s: modulo(nonce + signatureChallenge(R, publicKey, hash) * secretKey, GROUP_ORDER) };
}

function requestOf(made: {
  readonly operation: SignedKind;
  readonly hash: bigint;
  readonly signature: Signature;
  readonly randomizationFactor: bigint;
}): { readonly method: string; readonly params: readonly unknown[] } {
  const { kind } = made.operation;
  const { method, params } =
    kind === 'createAccount'
      ? { method: 'pazkp_createAccount', params: accountCreationParams(made as never) }
      : {
          createMoneyOrder: moneyOrderCall,
          redeemMoneyOrder: redemptionCall,
          outboundTransfer: outboundTransferCall,
          setConsent: consentCall,
        }[kind](made as never);
  return { method, params: params.map(onWire) };
}

/** Amounts beyond 2^53 are decimal text, which not every JSON reader would keep otherwise. */
function onWire(value: unknown): unknown {
  if (value instanceof Uint8Array) return hexFromBytes(value);
  if (typeof value !== 'bigint') return value ?? null;
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : String(value);
}

const word = (value: bigint) => hexFromBytes(encodeWord(value));
