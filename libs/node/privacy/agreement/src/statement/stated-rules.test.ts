import { describe, expect, it } from '@jest/globals';
import { keccakHash, signingKeyOf } from '@tetrad/crypto';
import { fixed } from '../signed/fixed-fields.js';
import { signMessage } from '../signed/node-signature.js';
import { differentRules, openRules, signRules } from './stated-rules.js';

const nodeKey = signingKeyOf(Buffer.alloc(32, 3));
const statement = keccakHash(Buffer.from('statement'));
const signed = (rules: readonly (readonly [number, number])[]) =>
  signRules({ statement, rules: new Map(rules) }, nodeKey);
/** A message with these fields after its mark, signed. */
const crafted = (...fields: Uint8Array[]) =>
  signMessage(Buffer.concat([Buffer.from('tetrad/agreement/rules/v1'), ...fields]), nodeKey);
const rule = (number: number) => [fixed(number, 2), fixed(1, 8)];
const hash = Buffer.from(statement.slice(2), 'hex');

describe('rules', () => {
  it('are read as they were signed, in the order of their numbers', async () => {
    const bytes = await signed([
      [2, 24_576],
      [1, 7],
    ]);
    expect(bytes.length).toBe(25 + 32 + 2 + 2 * 10 + 65);
    const opened = openRules(bytes);
    expect(opened?.statement).toBe(statement);
    expect([...(opened?.rules ?? [])]).toEqual([
      [1, 7],
      [2, 24_576],
    ]);
    expect(opened?.signer).toHaveLength(128);
  });

  it('are bound to the statement and to what they say', async () => {
    const bytes = Buffer.from(await signed([[1, 7]]));
    const signer = openRules(bytes)?.signer;
    for (const at of [25, 25 + 32 + 2 + 2 + 7]) {
      const other = Buffer.from(bytes);
      other[at] = (other[at] ?? 0) ^ 1;
      expect(openRules(other)?.signer).not.toBe(signer);
    }
  });

  it.each([
    ['two of one number', [hash, fixed(2, 2), ...rule(1), ...rule(1)]],
    ['another order', [hash, fixed(2, 2), ...rule(2), ...rule(1)]],
    ['more than 64', [hash, fixed(65, 2), ...Array.from({ length: 65 }, (_, at) => rule(at + 1)).flat()]],
    ['fewer than they say', [hash, fixed(2, 2), ...rule(1)]],
    ['more than they say', [hash, fixed(1, 2), ...rule(1), ...rule(2)]],
    ['a number that is not safe', [hash, fixed(1, 2), fixed(1, 2), fixed(2n ** 63n, 8)]],
    ['number 0', [hash, fixed(1, 2), ...rule(0)]],
  ])('are not read with %s', async (_, fields) => {
    expect(openRules(await crafted(...fields))).toBeUndefined();
  });

  it('of a later version are read, and compared as far as both know them', async () => {
    const [own, other] = [
      await signed([
        [1, 7],
        [2, 24_576],
      ]),
      await signed([
        [1, 6],
        [9, 5],
      ]),
    ];
    expect(differentRules(own, other)).toEqual([{ rule: 1, own: 7, other: 6 }]);
    expect(differentRules(own, own)).toEqual([]);
  });

  it('cannot be compared where one end has said nothing', async () => {
    const own = await signed([[1, 7]]);
    expect(differentRules(own, undefined)).toBeUndefined();
    expect(differentRules(undefined, own)).toBeUndefined();
  });
});
