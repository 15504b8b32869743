import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { createKeystore } from '@tetrad/keystore';
import { bytesFromHex, hexFromBytes, parseAddress } from '@tetrad/types';
import { planPublic } from './send-plan.js';
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
    const request = {
      from: address,
      nonce: scalar(nonce),
      gas: scalar(gas),
      to: to === undefined ? undefined : parseAddress(to),
      value: scalar(value),
      data: bytesFromHex(data ?? '0x'),
      gasPrice: scalar(gasPrice),
      maxFeePerGas: scalar(maxFeePerGas),
      maxPriorityFeePerGas: scalar(maxPriorityFeePerGas),
    };
    const plan = planPublic(request, address, BigInt(chainId));
    const keystore = createKeystore([{ address, privateKey: key }]);
    const signed = await signTransaction(plan.complete(plan.nonce ?? 0n), address, keystore);
    expect(hexFromBytes(signed.raw)).toBe(raw);
  });
});
