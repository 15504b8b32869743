import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hashFromBytes, parsePtmKey, type Hash, type PtmKey } from '@tetrad/types';
import { signingKeyOf } from '@tetrad/crypto';
import {
  STATEMENT_BYTES,
  openBlockStatement,
  signBlockStatement,
  type BlockStatement,
} from './block-statement.js';

const NODE_KEY = signingKeyOf(Buffer.alloc(32, 7));
const SIGNER = Buffer.from(NODE_KEY.publicKey).toString('hex');

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const hash = bytes32.map((bytes): Hash => hashFromBytes(bytes));
const key = bytes32.map((bytes): PtmKey => parsePtmKey(Buffer.from(bytes).toString('base64')));
const statement: fc.Arbitrary<BlockStatement> = fc.record({
  chainId: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  genesisHash: hash,
  from: key,
  to: key,
  block: fc.nat(Number.MAX_SAFE_INTEGER),
  blockHash: hash,
  revision: fc.nat(0xffff_ffff),
  digest: hash,
});

describe('a statement of a block', () => {
  it('reads back as it was written, with its signer', () => {
    return fc.assert(
      fc.asyncProperty(statement, async (stated) => {
        const signed = await signBlockStatement(stated, NODE_KEY);
        expect(signed).toHaveLength(STATEMENT_BYTES);
        expect(openBlockStatement(signed)).toEqual({ ...stated, signer: SIGNER });
      }),
      { numRuns: 50 },
    );
  });

  it('is not of its signer any more when one of its bits is another', () => {
    return fc.assert(
      fc.asyncProperty(statement, fc.nat(8 * STATEMENT_BYTES - 1), async (stated, bit) => {
        const changed = Buffer.from(await signBlockStatement(stated, NODE_KEY));
        changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        expect(openBlockStatement(changed)?.signer).not.toBe(SIGNER);
      }),
      { numRuns: 50 },
    );
  });

  it('is refused when it is shorter, longer, or has another mark', async () => {
    const [stated] = fc.sample(statement, 1) as [BlockStatement];
    const signed = Buffer.from(await signBlockStatement(stated, NODE_KEY));
    expect(openBlockStatement(signed.subarray(1))).toBeUndefined();
    expect(openBlockStatement(Buffer.concat([signed, Buffer.alloc(1)]))).toBeUndefined();
    expect(openBlockStatement(Buffer.alloc(STATEMENT_BYTES))).toBeUndefined();
  });
});
