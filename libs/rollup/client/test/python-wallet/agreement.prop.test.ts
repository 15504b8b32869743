import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  FIELD_MODULUS,
  GROUP_ORDER,
  consentHash,
  decodeCiphertext,
  decodeSignature,
  decodeWord,
  decrypt,
  encodeCiphertext,
  encodePoint,
  encodeSignature,
  encrypt,
  hashWords,
  isEncryptionOf,
  multiplyGenerator,
  operationHash,
  operationPlaintext,
  rollupDomain,
  sign,
  verifySignature,
  type Ciphertext,
  type JointKey,
  type Point,
  type SignedKind,
} from '@tetrad/rollup-crypto';
import { bytesFromHex, hexFromBytes, parseAddress, type Hex } from '@tetrad/types';
import fc from 'fast-check';
import { PythonWallet, isWithoutPython } from './python-wallet.js';

const words = fc.bigInt({ min: 0n, max: FIELD_MODULUS - 1n });
const scalars = fc.bigInt({ min: 1n, max: GROUP_ORDER - 1n });
const ids = fc.integer({ min: 1, max: 2 ** 28 - 1 });
const tokens = fc.integer({ min: 0, max: 255 });
const amounts = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n });
const nonces = fc.integer({ min: 1, max: 2 ** 31 });
const totalIndexes = fc.integer({ min: 2 ** 16, max: 2 ** 48 - 1 });
const addresses = fc.uint8Array({ minLength: 20, maxLength: 20 });
const people = fc.record({
  domain: fc.bigInt({ min: 0n, max: 2n ** 248n - 1n }),
  operatorSecret: scalars,
  accountKey: scalars,
  encryptionKey: scalars,
  receiverKey: scalars,
});
const orders = fc.record({
  fromAccountId: ids,
  toAccountId: ids,
  tokenId: tokens,
  amount: amounts,
  blindingFactor: words,
});
const runs = { numRuns: 12, endOnFailure: true };

const flat = (...points: readonly Point[]) => points.flatMap(({ x, y }) => [x, y]);
const read = {
  ciphertext: (hex: unknown) => decodeCiphertext(bytesFromHex(hex as Hex)) as Ciphertext,
  word: (hex: unknown) => decodeWord(bytesFromHex(hex as Hex)),
};

/** The keys of a holder, its receiver and the operator, from their scalars. */
function knownOf({ operatorSecret, accountKey, encryptionKey, receiverKey, ...rest }: People) {
  const operator = multiplyGenerator(operatorSecret);
  return {
    ...rest,
    operator,
    operatorSecret,
    accountKey,
    encryptionKey,
    receiverKey,
    publicKey: multiplyGenerator(accountKey),
    own: { user: multiplyGenerator(encryptionKey), operator },
    receiver: { user: multiplyGenerator(receiverKey), operator },
  };
}

interface People {
  readonly domain: bigint;
  readonly operatorSecret: bigint;
  readonly accountKey: bigint;
  readonly encryptionKey: bigint;
  readonly receiverKey: bigint;
}

type Known = ReturnType<typeof knownOf>;

((await isWithoutPython()) ? describe.skip : describe)('the wallet in Python and that in TypeScript', () => {
  let python: PythonWallet;

  beforeAll(() => {
    python = PythonWallet.start();
  });
  afterAll(() => python.stop());

  /** What Python signs of an operation, in the form of a request. */
  const signedByPython = async (known: Known, operation: string, ...values: readonly unknown[]) => {
    const rollup = [known.domain, ...flat(known.operator)];
    const keys = [known.accountKey, known.encryptionKey];
    const made = await python.call('sign', keys, rollup, operation, ...values);
    return made as [hash: bigint, method: string, params: unknown[]];
  };
  const isSignedForPython = (publicKey: Point, message: bigint, signature: Uint8Array) =>
    python.call('isSignature', flat(publicKey), message, hexFromBytes(signature));

  /** Both sides compute the hash of Python’s, and verify signatures of each other. */
  const expectAgreement = async (
    known: Known,
    [hash, , params]: readonly [bigint, string, readonly unknown[]],
    operation: SignedKind,
  ) => {
    const { domain, publicKey, accountKey } = known;
    const signature = params.findLast((value) => typeof value === 'string') as Hex;
    expect(hash).toBe(operationHash(domain, operation));
    const decoded = decodeSignature(bytesFromHex(signature));
    expect(verifySignature(publicKey, hash, decoded!)).toBe(true);
    expect(verifySignature(publicKey, (hash + 1n) % FIELD_MODULUS, decoded!)).toBe(false);
    const ours = sign(accountKey, hash);
    expect(await isSignedForPython(publicKey, hash, encodeSignature(ours))).toBe(true);
    for (const other of [
      { ...ours, s: (ours.s + 1n) % GROUP_ORDER },
      { ...ours, s: ours.s + GROUP_ORDER },
      { ...ours, R: multiplyGenerator(accountKey + 1n) },
    ])
      expect(await isSignedForPython(publicKey, hash, encodeSignature(other))).toBe(false);
  };
  const expectText = (
    operation: Exclude<SignedKind, { kind: 'outboundTransfer' }>,
    { readers, factor, known, key }: { readers: JointKey; factor: unknown; known: Known; key: bigint },
  ) => {
    const { ciphertext } = operation;
    const said = operationPlaintext(operation);
    expect(isEncryptionOf(ciphertext, said, readers, read.word(factor))).toBe(true);
    expect(decrypt(ciphertext, 'user', key)).toEqual(said);
    expect(decrypt(ciphertext, 'operator', known.operatorSecret)).toEqual(said);
  };

  it('have the same hash and the same rollup', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(words, { maxLength: 16 }), async (listed) => {
        expect(BigInt((await python.call('hash', listed)) as bigint)).toBe(hashWords(listed));
      }),
      { ...runs, numRuns: 40 },
    );
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: 1n, max: 2n ** 63n }), addresses, async (chainId, bytes) => {
        const contract = parseAddress(hexFromBytes(bytes));
        expect(await python.call('domain', chainId, contract)).toBe(rollupDomain(chainId, contract));
      }),
      runs,
    );
  });

  it('write the same texts, and read those of each other', async () => {
    const texts = fc.array(words, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(people, texts, scalars, async (drawn, said, factor) => {
        const { own, encryptionKey } = knownOf(drawn);
        const ours = hexFromBytes(encodeCiphertext(encrypt(said, own, factor)));
        expect(await python.call('text', said, flat(own.user, own.operator), factor)).toBe(ours);
        const opened = (await python.call('opened', ours, encryptionKey)) as bigint[];
        expect(opened.map(BigInt)).toEqual(said);
      }),
      runs,
    );
  });

  it('agree on creations', async () => {
    await fc.assert(
      fc.asyncProperty(people, words, scalars, async (drawn, blindingFactor, drawnFactor) => {
        const known = knownOf(drawn);
        const made = await signedByPython(known, 'create', blindingFactor, drawnFactor);
        const [publicKey, , , text, factor] = made[2];
        expect([made[1], publicKey]).toEqual([
          'pazkp_createAccount',
          hexFromBytes(encodePoint(known.publicKey)),
        ]);
        const fields = { publicKey: known.publicKey, jointKey: known.own, blindingFactor };
        const operation = { kind: 'createAccount', ...fields, ciphertext: read.ciphertext(text) } as const;
        await expectAgreement(known, made, operation);
        expectText(operation, { readers: known.own, factor, known, key: known.encryptionKey });
      }),
      runs,
    );
  });

  it('agree on payments', async () => {
    await fc.assert(
      fc.asyncProperty(people, orders, nonces, fc.boolean(), async (drawn, order, nonce, isDirect) => {
        const known = knownOf(drawn);
        const { receiver } = known;
        const joint = flat(receiver.user, receiver.operator);
        const values = [Object.values(order), joint, nonce, 0, null, isDirect];
        const made = await signedByPython(known, 'pay', ...values);
        const [, , , , , text, factor] = made[2];
        expect(made[1]).toBe(isDirect ? 'rollup_createDirectMoneyOrder' : 'pazkp_createMoneyOrder');
        const ciphertext = read.ciphertext(text);
        const operation = { kind: 'createMoneyOrder', order, nonce, isDirect, ciphertext } as const;
        const other = operationHash(known.domain, { ...operation, isDirect: !isDirect });
        expect(made[0]).not.toBe(other);
        await expectAgreement(known, made, operation);
        expectText(operation, { readers: receiver, factor, known, key: known.receiverKey });
      }),
      runs,
    );
  });

  it('agree on redemptions', async () => {
    await fc.assert(
      fc.asyncProperty(people, orders, totalIndexes, nonces, async (drawn, order, totalIndex, nonce) => {
        const known = knownOf(drawn);
        const listed = Object.values(order);
        const made = await signedByPython(known, 'redeem', listed, totalIndex, nonce, known.receiverKey);
        const [text, factor] = made[2].slice(7);
        const fields = { order, totalIndex, nonce, ciphertext: read.ciphertext(text) };
        const operation = { kind: 'redeemMoneyOrder', ...fields } as const;
        await expectAgreement(known, made, operation);
        expectText(operation, { readers: known.own, factor, known, key: known.encryptionKey });
      }),
      runs,
    );
  });

  it('agree on consents and their ends', async () => {
    const heights = fc.integer({ min: 1, max: 2 ** 32 - 1 });
    const terms = fc.record({ minimum: amounts, untilHeight: heights, tokenId: tokens, secret: words });
    const drawnTerms = fc.option(terms, { nil: undefined });
    await fc.assert(
      fc.asyncProperty(people, ids, drawnTerms, nonces, async (drawn, accountId, consented, nonce) => {
        const known = knownOf(drawn);
        const listed =
          consented === undefined
            ? null
            : [consented.minimum, consented.untilHeight, consented.tokenId, consented.secret];
        const made = await signedByPython(known, 'set_consent', accountId, listed, nonce, known.receiverKey);
        expect(made[1]).toBe(listed === null ? 'rollup_revokeConsent' : 'rollup_setConsent');
        const [text, factor] = made[2].slice(-4);
        const consent = consentHash(known.domain, consented);
        const fields = { accountId, consent, terms: consented, nonce, ciphertext: read.ciphertext(text) };
        const operation = { kind: 'setConsent', ...fields } as const;
        await expectAgreement(known, made, operation);
        expectText(operation, { readers: known.own, factor, known, key: known.encryptionKey });
      }),
      runs,
    );
  });

  it('agree on transfers out', async () => {
    const transfers = fc.tuple(ids, addresses, tokens, amounts, nonces);
    await fc.assert(
      fc.asyncProperty(people, transfers, async (drawn, [fromAccountId, bytes, tokenId, amount, nonce]) => {
        const known = knownOf(drawn);
        const toEthereumAddress = parseAddress(hexFromBytes(bytes));
        const values = [fromAccountId, toEthereumAddress, tokenId, amount, nonce];
        const made = await signedByPython(known, 'transfer', ...values);
        const fields = { fromAccountId, toEthereumAddress, tokenId, amount, nonce };
        await expectAgreement(known, made, { kind: 'outboundTransfer', ...fields });
      }),
      runs,
    );
  });
});
