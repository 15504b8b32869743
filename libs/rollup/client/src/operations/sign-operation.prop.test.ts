import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { rollupHolderMethods } from '@tetrad/api-rollup-operator';
import {
  decodeCiphertext,
  decodeJointKey,
  decodePoint,
  decodeSignature,
  decodeWord,
  decrypt,
  decryptWithFactor,
  isEncryptionOf,
  moneyOrderWords,
  multiplyGenerator,
  operationHash,
  operationPlaintext,
  creationOfWords,
  rollupDomain,
  verifySignature,
  type Ciphertext,
  type SignedKind,
} from '@tetrad/rollup-crypto';
import { readJson, writeJson } from '@tetrad/rpc';
import { parseAddress } from '@tetrad/types';
import { z } from 'zod';
import { deriveRollupKeys, jointKeyOf } from '../keys/rollup-keys.js';
import {
  accountCreationParams,
  moneyOrderCall,
  outboundTransferCall,
  redemptionCall,
} from './operation-call.js';
import {
  signAccountCreation,
  signMoneyOrder,
  signOutboundTransfer,
  signRedemption,
  type RollupParameters,
} from './sign-operation.js';

const contract = parseAddress(`0x${'ab'.repeat(20)}`);
const operatorSecret = 77n;
const rollup: RollupParameters = {
  domain: rollupDomain(1337n, contract),
  operatorKey: multiplyGenerator(operatorSecret),
};
const alice = deriveRollupKeys(new Uint8Array(32).fill(1));
const bob = deriveRollupKeys(new Uint8Array(32).fill(2));
const toJointKey = jointKeyOf(bob, rollup.operatorKey);

/** What the operator reads of a call that went over the wire. */
function overTheWire(method: keyof typeof rollupHolderMethods, params: readonly unknown[]): unknown[] {
  const { params: definitions } = rollupHolderMethods[method];
  const encoded = definitions.map(({ schema }, index) =>
    params[index] === undefined ? null : z.encode(schema, params[index] as never),
  );
  const received = readJson(writeJson(encoded), 16) as unknown[];
  return definitions.map(({ schema }, index) =>
    received[index] === null ? undefined : z.decode(schema, received[index] as never),
  );
}

const amounts = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n });
const ids = fc.integer({ min: 1, max: 2 ** 28 - 1 });
const tokens = fc.integer({ min: 0, max: 255 });
const nonces = fc.integer({ min: 1, max: 2 ** 31 });
const totalIndexes = fc.integer({ min: 2 ** 16, max: 2 ** 48 - 1 });
const runs = { numRuns: 15 };

const read = {
  ciphertext: (bytes: unknown) => decodeCiphertext(bytes as Uint8Array) as Ciphertext,
  signature: (bytes: unknown) => decodeSignature(bytes as Uint8Array)!,
  word: (bytes: unknown) => decodeWord(bytes as Uint8Array),
};

/** As the operator checks it at the door. */
function expectGenuine(
  operation: SignedKind,
  { signature, hash }: { signature: unknown; hash: bigint },
): void {
  expect(operationHash(rollup.domain, operation)).toBe(hash);
  expect(verifySignature(alice.publicKey, hash, read.signature(signature))).toBe(true);
  expect(verifySignature(bob.publicKey, hash, read.signature(signature))).toBe(false);
}

describe('an operation that the client signs', () => {
  it('creates an account that the operator takes, and of which both can read the blinding factor', () => {
    const signed = signAccountCreation(rollup, alice);
    const params = overTheWire('pazkp_createAccount', accountCreationParams(signed));
    const [publicKey, jointKey, blinding, text, factor, signature] = params;
    const operation = {
      kind: 'createAccount',
      publicKey: decodePoint(publicKey as Uint8Array)!,
      jointKey: decodeJointKey(jointKey as Uint8Array)!,
      blindingFactor: read.word(blinding),
      ciphertext: read.ciphertext(text),
    } as const;
    expectGenuine(operation, { signature, hash: signed.hash });
    expect(
      isEncryptionOf(
        operation.ciphertext,
        operationPlaintext(operation),
        operation.jointKey,
        read.word(factor),
      ),
    ).toBe(true);
    const said = operationPlaintext(operation);
    expect(decrypt(operation.ciphertext, 'user', alice.encryptionKey)).toEqual(said);
    const toOperator = decrypt(operation.ciphertext, 'operator', operatorSecret);
    expect(operation).toMatchObject(creationOfWords(toOperator, rollup.operatorKey) ?? { kind: 'unread' });
  });

  it('makes a money order that receiver, operator and payer can read', () => {
    fc.assert(
      fc.property(ids, ids, tokens, amounts, nonces, (fromAccountId, toAccountId, tokenId, amount, nonce) => {
        const payment = { fromAccountId, toAccountId, tokenId, amount, nonce };
        const signed = signMoneyOrder(rollup, alice, { ...payment, toJointKey, attempt: 3 });
        const call = moneyOrderCall(signed);
        const [from, to, token, units, blinding, text, factor, sentNonce, signature] = overTheWire(
          call.method,
          call.params,
        );
        const order = {
          fromAccountId: from as number,
          toAccountId: to as number,
          tokenId: token as number,
          amount: units as bigint,
          blindingFactor: read.word(blinding),
        };
        const ciphertext = read.ciphertext(text);
        const operation = {
          kind: 'createMoneyOrder',
          order,
          nonce: sentNonce as number,
          ciphertext,
        } as const;
        expect({ ...order, nonce: sentNonce }).toEqual({ ...payment, blindingFactor: order.blindingFactor });
        expectGenuine(operation, { signature, hash: signed.hash });
        const words = moneyOrderWords(order);
        expect(isEncryptionOf(ciphertext, words, toJointKey, read.word(factor))).toBe(true);
        expect(decrypt(ciphertext, 'user', bob.encryptionKey)).toEqual(words);
        expect(decrypt(ciphertext, 'operator', operatorSecret)).toEqual(words);
        expect(decryptWithFactor(ciphertext, 'operator', rollup.operatorKey, read.word(factor))).toEqual(
          words,
        );
      }),
      runs,
    );
  });

  it('redeems an order, and pays out of the rollup, to the unit', () => {
    fc.assert(
      fc.property(ids, tokens, amounts, totalIndexes, nonces, (id, tokenId, amount, totalIndex, nonce) => {
        const order = { fromAccountId: 0, toAccountId: id, tokenId, amount, blindingFactor: 5n };
        const redeemed = signRedemption(rollup, alice, { order, totalIndex, nonce });
        const call = redemptionCall(redeemed);
        const sent = overTheWire(call.method, call.params);
        const ciphertext = read.ciphertext(sent[7]);
        expect(sent.slice(0, 4)).toEqual([0, id, tokenId, amount]);
        const redemption = {
          kind: 'redeemMoneyOrder',
          order,
          ciphertext,
          totalIndex: sent[5] as number,
          nonce: sent[6] as number,
        } as const;
        expectGenuine(redemption, { signature: sent[9], hash: redeemed.hash });
        expect(decrypt(ciphertext, 'user', alice.encryptionKey)).toEqual([
          ...moneyOrderWords(order),
          BigInt(totalIndex),
        ]);
        const fields = { fromAccountId: id, toEthereumAddress: contract, tokenId, amount, nonce };
        const left = signOutboundTransfer(rollup, alice, fields);
        const { method, params } = outboundTransferCall(left);
        const out = overTheWire(method, params);
        expect(out.slice(0, 5)).toEqual([id, contract, tokenId, amount, nonce]);
        expectGenuine({ kind: 'outboundTransfer', ...fields }, { signature: out[5], hash: left.hash });
      }),
      runs,
    );
  });

  it('has another randomization factor for each attempt, and the same for the same one', () => {
    const payment = { fromAccountId: 1, toAccountId: 2, toJointKey, tokenId: 0, amount: 5n };
    const factor = (nonce: number, attempt: number) =>
      signMoneyOrder(rollup, alice, { ...payment, nonce, attempt }).randomizationFactor;
    const all = [factor(1, 0), factor(1, 1), factor(2, 0), factor(2, 1)];
    expect(new Set(all).size).toBe(4);
    expect(factor(2, 1)).toBe(all[3]);
  });
});
