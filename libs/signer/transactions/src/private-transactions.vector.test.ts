import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  addressFromPrivateKey,
  encodeSignature65,
  personalMessageDigest,
  personalMessagePreimage,
  signDigest,
} from '@tetrad/crypto';
import { createKeystore } from '@tetrad/keystore';
import { bytesFromHex, hexFromBytes, parseAddress, parsePtmKey } from '@tetrad/types';
import { privacyGroupId } from '@tetrad/transactions';
import { planPrivate } from './send-plan.js';
import { signTransaction } from './sign-transaction.js';

interface Vector {
  readonly name: string;
  readonly privateKey: string;
  readonly chainId: string;
  readonly transaction: {
    readonly nonce: string;
    readonly gasPrice: string;
    readonly gas: string;
    readonly to?: string;
    readonly data: string;
    readonly privateFrom: string;
    readonly privateFor?: readonly string[];
    readonly privacyGroupId?: string;
  };
  readonly raw: string;
}

const read = <T>(name: string) =>
  JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8')) as T;

describe('restricted private transactions of the reference signing proxies and nodes', () => {
  it.each(read<Vector[]>('private-transactions'))(
    '$name',
    async ({ privateKey, chainId, transaction, raw }) => {
      const key = bytesFromHex(privateKey);
      const address = addressFromPrivateKey(key);
      const { to, privateFrom, privateFor, privacyGroupId: group } = transaction;
      const plan = planPrivate(
        {
          from: address,
          to: to === undefined ? undefined : parseAddress(to),
          gas: BigInt(transaction.gas),
          gasPrice: BigInt(transaction.gasPrice),
          data: bytesFromHex(transaction.data),
          privateFrom: parsePtmKey(privateFrom),
          privateFor: privateFor?.map(parsePtmKey),
          privacyGroupId: group === undefined ? undefined : parsePtmKey(group),
        },
        address,
        BigInt(chainId),
      );
      const accounts = createKeystore([{ address, privateKey: key }]);
      const signed = await signTransaction(plan.complete(BigInt(transaction.nonce)), address, accounts);
      expect(hexFromBytes(signed.raw)).toBe(raw);
    },
  );
});

describe('ids of groups of participants', () => {
  it.each(read<{ name: string; members: string[]; groupId: string }[]>('privacy-groups'))(
    '$name, for every sender of the group and with duplicate members',
    ({ members, groupId }) => {
      const [first, second] = members.map(parsePtmKey);
      if (first === undefined || second === undefined) throw new Error('two members are wanted');
      expect(privacyGroupId(first, [second])).toBe(groupId);
      expect(privacyGroupId(second, [first, second, first])).toBe(groupId);
    },
  );
});

describe('signed messages', () => {
  it.each(
    read<{ name: string; privateKey: string; message: string; signature: string }[]>('personal-messages'),
  )('$name', ({ privateKey, message, signature }) => {
    const bytes = message.startsWith('0x') ? bytesFromHex(message) : new TextEncoder().encode(message);
    const signed = signDigest(personalMessageDigest(bytes), bytesFromHex(privateKey));
    const encoded = encodeSignature65(signed);
    encoded[64] = 27 + signed.parity;
    expect(hexFromBytes(encoded)).toBe(signature);
  });

  // SP-73
  it.each([
    ['0xdeadbeaf', '0x19457468657265756d205369676e6564204d6573736167653a0a34deadbeaf'],
    ['0x', '0x19457468657265756d205369676e6564204d6573736167653a0a30'],
  ])('are prefixed: %s', (message, preimage) => {
    expect(hexFromBytes(personalMessagePreimage(bytesFromHex(message)))).toBe(preimage);
  });
});
