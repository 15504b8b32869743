import { describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey, isPrivateKey } from '@tetrad/crypto';
import { createKeystore, KeystoreError } from '@tetrad/keystore';
import { ZERO_ADDRESS, addressFromBytes, hashFromBytes, hexFromBytes } from '@tetrad/types';
import { SigningKey, Transaction } from 'ethers';
import fc from 'fast-check';
import type { UnsignedTransaction } from './encode-transaction.js';
import { signTransaction } from './sign-transaction.js';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const address = bytes(20).map(addressFromBytes);
// Small numbers and edges as often as large ones: RLP treats them differently.
const scalar = (bits: number) =>
  fc.oneof(
    fc.bigInt({ min: 0n, max: 256n }),
    fc.integer({ min: 0, max: bits }).map((width) => 2n ** BigInt(width) - 1n),
    fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n }),
  );
const privateKey = bytes(32).filter(isPrivateKey);
const accessList = fc.array(
  fc.record({ address, storageKeys: fc.array(bytes(32).map(hashFromBytes), { maxLength: 3 }) }),
  { maxLength: 3 },
);

const common = {
  chainId: scalar(200).filter((id) => id > 0n),
  // What ethers takes; larger ones are among the vectors.
  nonce: scalar(53),
  gasLimit: scalar(64),
  to: fc.option(address, { nil: undefined }),
  value: scalar(256),
  data: fc.uint8Array({ maxLength: 100 }),
};
const legacy: fc.Arbitrary<UnsignedTransaction> = fc.record({ ...common, gasPrice: scalar(256) });
const withAccessList: fc.Arbitrary<UnsignedTransaction> = fc.record({
  ...common,
  gasPrice: scalar(256),
  accessList,
});
const dynamicFee: fc.Arbitrary<UnsignedTransaction> = fc
  .record({
    ...common,
    maxFeePerGas: scalar(256),
    maxPriorityFeePerGas: scalar(256),
    accessList: fc.option(accessList, { nil: undefined }),
  })
  .filter(({ maxFeePerGas, maxPriorityFeePerGas }) => maxPriorityFeePerGas <= maxFeePerGas);

/** The same transaction, signed by ethers alone. */
function signWithEthers(type: number, unsigned: UnsignedTransaction, key: Uint8Array): string {
  const { data, nonce, to, accessList: list, ...rest } = unsigned;
  const transaction = Transaction.from({
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    type,
    nonce: Number(nonce),
    to: to ?? null,
    data: hexFromBytes(data),
    ...(list === undefined
      ? {}
      : { accessList: list.map((entry) => ({ ...entry, storageKeys: [...entry.storageKeys] })) }),
  });
  transaction.signature = new SigningKey(key).sign(transaction.unsignedHash);
  return transaction.serialized;
}

describe('signed transactions', () => {
  it.each([
    ['legacy', 0, legacy],
    ['access-list', 1, withAccessList],
    ['dynamic-fee', 2, dynamicFee],
  ] as const)('of the %s type are those of ethers, byte for byte', async (_name, type, unsigned) => {
    await fc.assert(
      fc.asyncProperty(unsigned, privateKey, async (transaction, key) => {
        const account = addressFromPrivateKey(key);
        const keystore = createKeystore([{ address: account, privateKey: key }]);
        const { raw } = await signTransaction(transaction, account, keystore);
        expect(hexFromBytes(raw)).toBe(signWithEthers(type, transaction, key));
        expect(Transaction.from(hexFromBytes(raw)).from?.toLowerCase()).toBe(account);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each(['maxFeePerGas', 'maxPriorityFeePerGas'])('stay legacy with %s alone', async (fee) => {
    const key = new Uint8Array(32).fill(1);
    const account = addressFromPrivateKey(key);
    const unsigned = { chainId: 9n, nonce: 0n, gasLimit: 1n, value: 0n, data: new Uint8Array(0), [fee]: 5n };
    const keystore = createKeystore([{ address: account, privateKey: key }]);
    const { raw } = await signTransaction(unsigned, account, keystore);
    expect(Transaction.from(hexFromBytes(raw))).toMatchObject({ type: 0, gasPrice: 0n });
  });

  it('are not made for an account that is not in the keystore', async () => {
    const unsigned = { chainId: 9n, nonce: 0n, gasLimit: 1n, value: 0n, data: new Uint8Array(0) };
    await expect(signTransaction(unsigned, ZERO_ADDRESS, createKeystore([]))).rejects.toThrow(KeystoreError);
  });
});
