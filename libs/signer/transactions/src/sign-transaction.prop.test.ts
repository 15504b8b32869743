import { describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey, isPrivateKey } from '@tetrad/crypto';
import { createKeystore, KeystoreError } from '@tetrad/keystore';
import type { UnsignedTransaction } from '@tetrad/transactions';
import { ZERO_ADDRESS, hexFromBytes } from '@tetrad/types';
import { Transaction } from 'ethers/transaction';
import fc from 'fast-check';
import {
  EVERY_TYPE,
  signedByEthers,
  transactionsOf,
} from '../../../transactions/test/arbitrary-transactions.js';
import { planPublic, type SendRequest } from './send-plan.js';
import { signTransaction } from './sign-transaction.js';

const privateKeys = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter(isPrivateKey);

/** The request for this transaction. */
function requestFor({ gasLimit, fees, ...rest }: UnsignedTransaction): Omit<SendRequest, 'from'> {
  return { ...rest, gas: gasLimit, ...fees };
}

async function sign(request: Omit<SendRequest, 'from'>, privateKey: Uint8Array): Promise<string> {
  const account = addressFromPrivateKey(privateKey);
  const plan = planPublic({ from: account, ...request }, account, request.chainId ?? 9n);
  const keystore = createKeystore([{ address: account, privateKey }]);
  const { raw } = await signTransaction(plan.complete(plan.nonce ?? 0n), account, keystore);
  return hexFromBytes(raw);
}

describe('signed transactions', () => {
  it.each(EVERY_TYPE)('of the type %s are those of ethers, byte for byte', async (type) => {
    await fc.assert(
      fc.asyncProperty(transactionsOf(type), privateKeys, async (transaction, key) => {
        const raw = await sign(requestFor(transaction), key);
        expect(raw).toBe(signedByEthers(transaction, key));
      }),
      { numRuns: 1_000 },
    );
  });

  it.each(['maxFeePerGas', 'maxPriorityFeePerGas'])('stay legacy with %s alone', async (fee) => {
    const raw = await sign({ [fee]: 5n }, new Uint8Array(32).fill(1));
    expect(Transaction.from(raw)).toMatchObject({ type: 0, gasPrice: 0n });
  });

  it('are not made for an account that is not in the keystore', async () => {
    const transaction = planPublic({ from: ZERO_ADDRESS }, ZERO_ADDRESS, 9n).complete(0n);
    await expect(signTransaction(transaction, ZERO_ADDRESS, createKeystore([]))).rejects.toThrow(
      KeystoreError,
    );
  });
});
