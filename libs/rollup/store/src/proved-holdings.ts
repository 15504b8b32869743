import { decodeWord, encodeWord, type HashedJointKey, type Point } from '@tetrad/rollup-crypto';
import { hexOf } from './json-record.js';

/** What a request proves of its account: the leaf, and one balance of it. */
export interface ProvedHolding {
  readonly id: number;
  readonly publicKey: Point;
  readonly jointKey: HashedJointKey;
  readonly blindingFactor: bigint;
  readonly nonce: number;
  readonly redemptionIndex: number;
  readonly tokenId: number;
  readonly balance: bigint;
  /** From the balance to the root of the account's balances. */
  readonly siblings: readonly bigint[];
  /** As the leaf has it; undefined in a rollup without consents. */
  readonly consent?: bigint | undefined;
}

/** As the column holds it. */
export type WrittenHolding = Pick<ProvedHolding, 'id' | 'nonce' | 'redemptionIndex' | 'tokenId'> & {
  readonly balance: string;
  /** Key, hash of the joint key, blinding factor, siblings. */
  readonly words: string[];
  readonly consent?: string;
};

export function writtenHolding(holding: ProvedHolding): WrittenHolding {
  const { id, nonce, redemptionIndex, tokenId, balance, publicKey, jointKey, siblings } = holding;
  const words = [publicKey.x, publicKey.y, jointKey.hash, holding.blindingFactor, ...siblings];
  return {
    id,
    nonce,
    redemptionIndex,
    tokenId,
    balance: String(balance),
    words: words.map((word) => hexOf(encodeWord(word))),
    ...(holding.consent === undefined ? {} : { consent: hexOf(encodeWord(holding.consent)) }),
  };
}

/** @param written - what the column holds */
export function parseHolding(written: unknown): ProvedHolding {
  const { balance, words, consent, ...numbers } = written as WrittenHolding;
  const [x, y, hash, blindingFactor, ...siblings] = words.map((word) => decodeWord(Buffer.from(word, 'hex')));
  return {
    ...numbers,
    balance: BigInt(balance),
    publicKey: { x, y } as Point,
    siblings,
    jointKey: { hash } as HashedJointKey,
    blindingFactor: blindingFactor as bigint,
    ...(consent === undefined ? {} : { consent: decodeWord(Buffer.from(consent, 'hex')) }),
  };
}
