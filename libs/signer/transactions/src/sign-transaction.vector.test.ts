import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { createKeystore } from '@tetrad/keystore';
import { bytesFromHex, hexFromBytes, parseAddress } from '@tetrad/types';
import { signTransaction } from './sign-transaction.js';

interface Vector {
  readonly name: string;
  readonly privateKey: string;
  readonly chainId: string;
  readonly transaction: Readonly<Record<string, string>>;
  readonly raw: string;
}

const vectors = JSON.parse(
  readFileSync(new URL('../vectors/public-transactions.json', import.meta.url), 'utf8'),
) as Vector[];

const scalar = (text: string | undefined) => (text === undefined ? undefined : BigInt(text));

describe('signed transactions of the reference signing proxies', () => {
  it.each(vectors)('$name', async ({ privateKey, chainId, transaction, raw }) => {
    const key = bytesFromHex(privateKey);
    const address = addressFromPrivateKey(key);
    const { to, nonce, gas, value, data, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = transaction;
    const unsigned = {
      chainId: BigInt(chainId),
      nonce: scalar(nonce) ?? 0n,
      gasLimit: scalar(gas) ?? 0n,
      to: to === undefined ? undefined : parseAddress(to),
      value: scalar(value) ?? 0n,
      data: bytesFromHex(data ?? '0x'),
      gasPrice: scalar(gasPrice),
      maxFeePerGas: scalar(maxFeePerGas),
      maxPriorityFeePerGas: scalar(maxPriorityFeePerGas),
    };
    const keystore = createKeystore([{ address, privateKey: key }]);
    const signed = await signTransaction(unsigned, address, keystore);
    expect(hexFromBytes(signed.raw)).toBe(raw);
  });
});
