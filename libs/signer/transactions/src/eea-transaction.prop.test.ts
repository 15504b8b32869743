import { describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey, isPrivateKey } from '@tetrad/crypto';
import { createKeystore } from '@tetrad/keystore';
import { addressFromBytes, hexFromBytes, parsePtmKey } from '@tetrad/types';
import { SigningKey, keccak256 } from 'ethers/crypto';
import { encodeRlp, toBeArray, toUtf8Bytes } from 'ethers/utils';
import fc from 'fast-check';
import type { UnsignedPrivateTransaction } from './eea-transaction.js';
import { signTransaction } from './sign-transaction.js';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
// Small numbers and edges as often as large ones: RLP treats them differently.
const scalar = (bits: number) =>
  fc.oneof(fc.bigInt({ min: 0n, max: 256n }), fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n }));
const ptmKey = bytes(32).map((key) => parsePtmKey(Buffer.from(key).toString('base64')));

const transaction: fc.Arbitrary<UnsignedPrivateTransaction> = fc.record({
  chainId: scalar(100).filter((id) => id > 0n),
  nonce: scalar(256),
  gasLimit: scalar(64),
  gasPrice: scalar(256),
  to: fc.option(bytes(20).map(addressFromBytes), { nil: undefined }),
  data: fc.uint8Array({ maxLength: 100 }),
  privateFrom: ptmKey,
  recipients: fc.oneof(fc.array(ptmKey, { maxLength: 3 }), ptmKey),
});

/** The same transaction, put together and signed by ethers alone. */
function signWithEthers(unsigned: UnsignedPrivateTransaction, privateKey: Uint8Array): string {
  const number = (value: bigint) => hexFromBytes(toBeArray(value));
  const key = (text: string) => hexFromBytes(Buffer.from(text, 'base64'));
  const { chainId, nonce, gasLimit, gasPrice, to, data, privateFrom, recipients } = unsigned;
  const call = [...[nonce, gasPrice, gasLimit].map(number), to ?? '0x', '0x', hexFromBytes(data)];
  const named = typeof recipients === 'string' ? key(recipients) : recipients.map(key);
  const privacy = [key(privateFrom), named, hexFromBytes(toUtf8Bytes('restricted'))];
  const digest = keccak256(encodeRlp([...call, number(chainId), '0x', '0x', ...privacy]));
  const { r, s, yParity } = new SigningKey(privateKey).sign(digest);
  const v = BigInt(yParity) + 35n + 2n * chainId;
  return encodeRlp([...call, ...[v, BigInt(r), BigInt(s)].map(number), ...privacy]);
}

describe('restricted private transactions', () => {
  it('are those that ethers puts together, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(transaction, bytes(32).filter(isPrivateKey), async (unsigned, privateKey) => {
        const address = addressFromPrivateKey(privateKey);
        const { raw } = await signTransaction(unsigned, address, createKeystore([{ address, privateKey }]));
        expect(hexFromBytes(raw)).toBe(signWithEthers(unsigned, privateKey));
      }),
      { numRuns: 1_000 },
    );
  });
});
