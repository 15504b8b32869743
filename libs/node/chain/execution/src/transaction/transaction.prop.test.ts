import { describe, expect, it } from '@jest/globals';
import { isPrivateKey } from '@tetrad/crypto';
import { signTransaction } from '@tetrad/transactions';
import { bytesFromHex, hexFromBytes } from '@tetrad/types';
import { Transaction } from 'ethers/transaction';
import fc from 'fast-check';
import {
  EVERY_TYPE,
  signedByEthers,
  transactionsOf,
} from '../../../../../transactions/test/arbitrary-transactions.js';
import { decodeTransaction, TransactionDecodeError, isPrivateTransaction } from './decode-transaction.js';

const CHAIN_ID = 1337n;
const unsigned = fc.oneof(...EVERY_TYPE.map((type) => transactionsOf(type, CHAIN_ID)));
const privateKey = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter(isPrivateKey);

describe('transactions', () => {
  it('are read as ethers reads them', () => {
    fc.assert(
      fc.property(unsigned, privateKey, (transaction, key) => {
        const theirs = signedByEthers(transaction, key);
        const parsed = Transaction.from(theirs);
        const decoded = decodeTransaction(bytesFromHex(theirs), CHAIN_ID);
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

  it('is a private transaction of another sender on any other chain: v is 37', () => {
    const decoded = decodeTransaction(bytesFromHex(raw), CHAIN_ID);
    expect(isPrivateTransaction(decoded)).toBe(true);
    expect(decoded.sender).not.toBe('0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f');
  });

  it('is refused for chain 2', () => {
    const key = Buffer.alloc(32, 0x46);
    const [transaction] = fc.sample(transactionsOf('legacy', 2n), 1);
    if (transaction === undefined) throw new Error('no transaction');
    expect(() => decodeTransaction(signTransaction(transaction, key), CHAIN_ID)).toThrow(
      'invalid chain id for signer: have 2 want 1337',
    );
  });

  it.each([
    ['a blob transaction', '0x03c0', 'transaction type not supported: 3'],
    ['a set-code transaction', '0x04c0', 'transaction type not supported: 4'],
    ['no bytes', '0x', 'transaction is empty'],
    ['too few fields', '0xc3010203', 'transaction: to: missing'],
    ['trailing bytes', `${raw}00`, 'transaction: trailing bytes'],
  ])('refuses %s', (_case, bytes, message) => {
    expect(() => decodeTransaction(bytesFromHex(bytes), 1n)).toThrow(message);
  });
});
