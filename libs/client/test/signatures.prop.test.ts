import { describe, expect, it } from '@jest/globals';
import { decodeRestricted } from '@tetrad/node-private-state';
import { privacyGroupId } from '@tetrad/transactions';
import { bytesFromHex, parseAddress, parsePtmKey } from '@tetrad/types';
import fc from 'fast-check';
import { bytesToHex, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { signPrivately } from '../../../apps/node/test/rpc/privacy/private-transaction.js';
import {
  AccountCannotSignPrivatelyError,
  privacyGroupIdOf,
  signPrivateTransaction,
  signRestrictedTransaction,
} from '../src/index.js';

const key = fc.uint8Array({ minLength: 32, maxLength: 32 });
const privateKey = key.filter((bytes) => bytes[0] !== 0xff && bytes.some((byte) => byte !== 0));
const ptmKey = key.map((bytes) => parsePtmKey(Buffer.from(bytes).toString('base64')));
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => bytesToHex(bytes));
const nonce = fc.bigInt({ min: 0n, max: 2n ** 64n - 2n });
const data = fc.uint8Array({ minLength: 64, maxLength: 64 });

describe('signatures of a local key', () => {
  it('are those that the node expects of a private transaction', async () => {
    await fc.assert(
      fc.asyncProperty(
        privateKey,
        nonce,
        fc.option(address),
        data,
        async (secret, count, to, payloadHash) => {
          const recipient = to === null ? {} : { to };
          const signed = await signPrivateTransaction(privateKeyToAccount(bytesToHex(secret)), {
            nonce: count,
            gasPrice: 0n,
            gas: 3_000_000n,
            data: bytesToHex(payloadHash),
            ...recipient,
          });
          const expected = signPrivately(
            { nonce: count, payloadHash, ...(to === null ? {} : { to: parseAddress(to) }) },
            secret,
          );
          expect(signed).toBe(expected);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('are those that the node expects of a restricted transaction', async () => {
    const chainId = fc.integer({ min: 1, max: 2 ** 40 });
    await fc.assert(
      fc.asyncProperty(
        privateKey,
        nonce,
        fc.option(address),
        data,
        chainId,
        fc.array(ptmKey, { maxLength: 4 }),
        async (secret, count, to, payload, chain, [privateFrom, ...privateFor]) => {
          if (privateFrom === undefined) return;
          const account = privateKeyToAccount(bytesToHex(secret));
          const signed = await signRestrictedTransaction(account, {
            nonce: count,
            gasPrice: 0n,
            gas: 90_000n,
            to: to ?? undefined,
            data: bytesToHex(payload),
            chainId: chain,
            privateFrom,
            privateFor,
          });
          const decoded = decodeRestricted(bytesFromHex(signed), BigInt(chain));
          expect(decoded).toMatchObject({ nonce: count, privateFrom, privateFor });
          expect(decoded.to).toBe(to ?? undefined);
          expect(decoded.sender).toBe(account.address.toLowerCase());
        },
      ),
      { numRuns: 40 },
    );
  });

  it('cannot be made by an account that only has an address', async () => {
    const account = { address: toHex(1, { size: 20 }), type: 'json-rpc' } as const;
    const content = { nonce: 0n, gasPrice: 0n, gas: 1n, data: '0x' } as const;
    await expect(signPrivateTransaction(account, content)).rejects.toThrow(AccountCannotSignPrivatelyError);
  });
});

describe('the id of a privacy group', () => {
  it('is the one that nodes and signers compute', () => {
    fc.assert(
      fc.property(ptmKey, fc.array(ptmKey, { maxLength: 6 }), (privateFrom, privateFor) => {
        expect(privacyGroupIdOf({ privateFrom, privateFor })).toBe(privacyGroupId(privateFrom, privateFor));
      }),
    );
  });
});
