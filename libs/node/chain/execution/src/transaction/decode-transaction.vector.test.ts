import { RLP } from '@ethereumjs/rlp';
import { describe, expect, it } from '@jest/globals';
import { SECP256K1_HALF_ORDER, SECP256K1_ORDER } from '@tetrad/crypto';
import { bytesFromScalar, hexFromBytes, scalarFromBytes } from '@tetrad/types';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeTransaction, TransactionDecodeError } from './decode-transaction.js';

interface TransactionVector {
  readonly name: string;
  readonly rlp: string;
  /** With `transaction`, where the bytes were valid when the vector was made. */
  readonly sender?: string;
  readonly transaction?: Readonly<Record<'nonce' | 'gasLimit' | 'gasPrice' | 'value' | 's', string>>;
}

const file = join(import.meta.dirname, '../../vectors/transactions/transactions-2015.json');
const vectors = JSON.parse(readFileSync(file, 'utf8')) as readonly TransactionVector[];

/** Valid in 2015, refused by a rule that came later. */
const REFUSED_SINCE: Readonly<Record<string, string>> = {
  TransactionWithHihghGas: 'gasLimit: above', // 64 bits, EIP-1559 clients and EIP-7825
  TransactionWithGasLimitxPriceOverflow: 'gasLimit: above',
  TransactionWithHihghNonce: 'nonce: above', // EIP-2681
  TransactionWithSvalueHigh: 's: out of range', // s is above the order of the group
};

/** The other signature of the same key: n − s, and the other v. */
function mirrored(rlp: Uint8Array): Uint8Array {
  const fields = RLP.decode(rlp) as Uint8Array[];
  const [v, r, s] = fields.slice(6) as [Uint8Array, Uint8Array, Uint8Array];
  return RLP.encode([
    ...fields.slice(0, 6),
    Uint8Array.of(55 - (v[0] as number)),
    r,
    bytesFromScalar(SECP256K1_ORDER - scalarFromBytes(s)),
  ]);
}

const quantity = (text: string) => (text === '' ? 0n : BigInt(text));
/** Not every vector is whole bytes of hex. */
const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex.slice(2), 'hex'));

describe('published transactions', () => {
  it.each(vectors.map((vector) => [vector.name, vector] as const))(
    '%s',
    (name, { rlp, sender, transaction }) => {
      const since = REFUSED_SINCE[name];
      if (transaction === undefined || since !== undefined) {
        expect(() => decodeTransaction(bytesOf(rlp), 1n)).toThrow(TransactionDecodeError);
        if (since !== undefined) expect(() => decodeTransaction(bytesOf(rlp), 1n)).toThrow(since);
        return;
      }
      // EIP-2 refuses half of the signatures of 2015; their mirror images are by the same sender.
      const isHigh = quantity(transaction.s) > SECP256K1_HALF_ORDER;
      if (isHigh) expect(() => decodeTransaction(bytesOf(rlp), 1n)).toThrow('s: out of range (EIP-2)');
      const raw = isHigh ? mirrored(bytesOf(rlp)) : bytesOf(rlp);
      const decoded = decodeTransaction(raw, 1n);
      expect(decoded).toMatchObject({
        type: 'legacy',
        sender,
        nonce: quantity(transaction.nonce),
        gasLimit: quantity(transaction.gasLimit),
        gasPrice: quantity(transaction.gasPrice),
        value: quantity(transaction.value),
      });
      expect(hexFromBytes(decoded.raw)).toBe(hexFromBytes(raw));
    },
  );
});
