import { describe, expect, it } from '@jest/globals';
import { bytesFromHex, hexFromBytes, parseAddress, parseHash } from '@tetrad/types';
import { Transaction, Wallet } from 'ethers';
import fc from 'fast-check';
import { decodeTransaction } from './decode-transaction.js';
import { signTransaction, type TransactionFees, type UnsignedTransaction } from './encode-transaction.js';
import { TransactionDecodeError } from './transaction-decode-error.js';

const CHAIN_ID = 1337n;
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const wei = fc.bigInt({ min: 0n, max: 2n ** 128n });
const accessList = fc.array(
  fc.record({
    address: bytes(20).map((value) => parseAddress(hexFromBytes(value))),
    storageKeys: fc.array(
      bytes(32).map((value) => parseHash(hexFromBytes(value))),
      { maxLength: 3 },
    ),
  }),
  { maxLength: 3 },
);
const fees: fc.Arbitrary<TransactionFees> = fc.oneof(
  fc.record({ type: fc.constant('legacy' as const), gasPrice: wei }),
  fc.record({ type: fc.constant('accessList' as const), gasPrice: wei, accessList }),
  fc
    .record({ type: fc.constant('dynamicFee' as const), a: wei, b: wei, accessList })
    .map(({ type, a, b, accessList: list }) => ({
      type,
      maxFeePerGas: a > b ? a : b,
      maxPriorityFeePerGas: a > b ? b : a,
      accessList: list,
    })),
);
const unsigned: fc.Arbitrary<UnsignedTransaction> = fc.record({
  chainId: fc.constant(CHAIN_ID),
  nonce: fc.bigInt({ min: 0n, max: 2n ** 53n - 1n }),
  gasLimit: fc.bigInt({ min: 0n, max: 2n ** 63n }),
  to: fc.option(
    bytes(20).map((value) => parseAddress(hexFromBytes(value))),
    { nil: undefined },
  ),
  value: wei,
  data: fc.uint8Array({ maxLength: 300 }),
  fees,
});
const privateKey = bytes(32).filter(
  (value) => value.some((byte) => byte !== 0) && (value[0] as number) < 255,
);

const TYPES = { legacy: 0, accessList: 1, dynamicFee: 2 } as const;

/** ethers' own encoding of the same transaction, signed with the same key. */
function signedByEthers(transaction: UnsignedTransaction, key: Uint8Array): string {
  const { fees: price } = transaction;
  const request = Transaction.from({
    type: TYPES[price.type],
    chainId: transaction.chainId,
    nonce: Number(transaction.nonce),
    gasLimit: transaction.gasLimit,
    to: transaction.to ?? null,
    value: transaction.value,
    data: hexFromBytes(transaction.data),
    ...(price.type === 'dynamicFee'
      ? { maxFeePerGas: price.maxFeePerGas, maxPriorityFeePerGas: price.maxPriorityFeePerGas }
      : { gasPrice: price.gasPrice }),
    ...(price.type === 'legacy'
      ? {}
      : { accessList: price.accessList.map((entry) => ({ ...entry, storageKeys: [...entry.storageKeys] })) }),
  });
  request.signature = new Wallet(hexFromBytes(key)).signingKey.sign(request.unsignedHash);
  return request.serialized;
}

describe('transactions', () => {
  it('are encoded, signed and read as ethers does', () => {
    fc.assert(
      fc.property(unsigned, privateKey, (transaction, key) => {
        const raw = signTransaction(transaction, key);
        const theirs = signedByEthers(transaction, key);
        expect(hexFromBytes(raw)).toBe(theirs);
        const parsed = Transaction.from(theirs);
        const decoded = decodeTransaction(raw, CHAIN_ID);
        expect(decoded.hash).toBe(parsed.hash);
        expect(decoded.sender).toBe(parsed.from?.toLowerCase());
        expect(decoded.nonce).toBe(transaction.nonce);
        expect(decoded.value).toBe(transaction.value);
        expect(decoded.to).toBe(transaction.to);
        expect(hexFromBytes(decoded.data)).toBe(hexFromBytes(transaction.data));
      }),
      { numRuns: 120 },
    );
  });

  it('never crash the decoder, whatever the bytes', () => {
    fc.assert(
      fc.property(
        unsigned,
        privateKey,
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }),
        (transaction, key, edits) => {
          const raw = Uint8Array.from(signTransaction(transaction, key));
          for (const [position, value] of edits) raw[position % raw.length] = value;
          try {
            decodeTransaction(raw, CHAIN_ID);
          } catch (error) {
            expect(error).toBeInstanceOf(TransactionDecodeError);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('the EIP-155 example', () => {
  // Source: EIP-155, "Example": key 0x46…46, nonce 9, 20 gwei, 21000 gas, 1 ether to 0x35…35, chain id 1.
  const raw =
    '0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83';

  it('is signed as published', () => {
    const signed = signTransaction(
      {
        chainId: 1n,
        nonce: 9n,
        gasLimit: 21000n,
        to: parseAddress('0x3535353535353535353535353535353535353535'),
        value: 10n ** 18n,
        data: new Uint8Array(0),
        fees: { type: 'legacy', gasPrice: 20n * 10n ** 9n },
      },
      bytesFromHex(`0x${'46'.repeat(32)}`),
    );
    expect(hexFromBytes(signed)).toBe(raw);
  });

  it('is refused on another chain', () => {
    expect(() => decodeTransaction(bytesFromHex(raw), CHAIN_ID)).toThrow(
      'invalid chain id for signer: have 1 want 1337',
    );
  });

  it.each([
    ['a blob transaction', '0x03c0', 'transaction type not supported: 3'],
    ['a set-code transaction', '0x04c0', 'transaction type not supported: 4'],
    ['no bytes', '0x', 'transaction is empty'],
    ['too few fields', '0xc3010203', 'transaction has 3 fields instead of 9'],
    ['trailing bytes', `${raw}00`, 'rlp'],
  ])('refuses %s', (_case, bytes, message) => {
    expect(() => decodeTransaction(bytesFromHex(bytes), 1n)).toThrow(message);
  });
});
