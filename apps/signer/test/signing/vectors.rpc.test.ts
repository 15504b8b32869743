import { describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { bytesFromHex } from '@tetrad/types';
import { SOME_HASH } from '../fake-node.js';
import { useFakeNode } from '../fake-setup.js';
import { readVectors, type TransactionVector } from '../reference-raw.js';

interface MessageVector {
  readonly name: string;
  readonly privateKey: string;
  readonly message: string;
  readonly signature: string;
}

const messages = readVectors<MessageVector>('personal-messages');
const transactions = [
  ...readVectors('public-transactions').map((vector) => ({ ...vector, method: 'eth_sendTransaction' })),
  ...readVectors('private-transactions').map((vector) => ({
    ...vector,
    method: 'eea_sendTransaction',
    transaction: { ...vector.transaction, restriction: 'restricted' },
  })),
];

/** One signer for each key and chain. */
const signers = new Map(
  transactions.map(({ privateKey, chainId }) => [`${privateKey} ${chainId}`, privateKey]),
);

const described = [...signers].map(([signer, privateKey]) => {
  const chainId = Number(signer.split(' ')[1]);
  return { signer, privateKey, chainId, from: addressFromPrivateKey(bytesFromHex(privateKey)) };
});

describe.each(described)(
  'the signer for $from on chain $chainId',
  ({ signer, privateKey, chainId, from }) => {
    const fake = useFakeNode({ chainId, privateKey: bytesFromHex(privateKey) });
    const isOurs = (vector: TransactionVector) => signer === `${vector.privateKey} ${vector.chainId}`;

    it.each(transactions.filter(isOurs))(
      'submits $name as published',
      async ({ method, transaction, raw }) => {
        expect(await fake.signer.call(method, [{ ...transaction, from }])).toMatchObject({
          status: 200,
          result: SOME_HASH,
        });
        expect(fake.node.submitted()).toEqual([raw]);
      },
    );

    const ours = messages.filter((vector) => vector.privateKey === privateKey);
    if (ours.length > 0) {
      it.each(ours)('signs $name as published', async ({ message, signature }) => {
        expect(await fake.signer.call('eth_sign', [from, message])).toMatchObject({
          status: 200,
          result: signature,
        });
      });
    }
  },
);
