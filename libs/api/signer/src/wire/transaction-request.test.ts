import { describe, expect, it } from '@jest/globals';
import { bytesFromHex } from '@tetrad/types';
import { z } from 'zod';
import { privateTransactionRequestCodec, transactionRequestCodec } from './transaction-request.js';
import { messageCodec } from './values.js';

const FROM = '0x7577919ae5df4941180eac211965f275cdce314d';
const TO = '0xd46e8dd67c5d32be8058bb8eb970870f07244567';
const KEY = 'ZlapEsl9qDLPy/e88+/6yvCUEVIvH83y0N4A6wHuKXI=';
const GROUP = 'DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w=';
const PRIVATE = { from: FROM, privateFrom: KEY, privateFor: [KEY], restriction: 'restricted' };

function refusedField(schema: z.ZodType, value: unknown): string | undefined {
  const parsed = schema.safeParse(value);
  return parsed.success ? undefined : String(parsed.error.issues[0]?.path[0]);
}

describe('a transaction for the signing proxy', () => {
  it.each([
    ['0x5208', 21000n],
    ['0x005208', 21000n],
    ['21000', 21000n],
    [21000, 21000n],
    [2n ** 70n, 2n ** 70n],
  ])('reads the quantity %p', (gas, expected) => {
    expect(z.decode(transactionRequestCodec, { from: FROM, gas })).toEqual({ from: FROM, gas: expected });
  });

  it.each(['', '0x', '1.5', '-1', 'gas', -1, 1.5, true, `0x1${'0'.repeat(64)}`])(
    'refuses the quantity %p',
    (gas) => {
      expect(refusedField(transactionRequestCodec, { from: FROM, gas })).toBe('gas');
    },
  );

  it.each([undefined, null, '', '0x'])('creates a contract when the recipient is %p', (to) => {
    expect(z.decode(transactionRequestCodec, { from: FROM, to })).toEqual({ from: FROM });
  });

  it('reads accounts and data without 0x, in any letter case, with odd digits', () => {
    const decoded = z.decode(transactionRequestCodec, {
      from: '7577919AE5DF4941180EAC211965F275CDCE314D',
      to: TO.slice(2).toUpperCase(),
      data: '0x0',
    });
    expect(decoded).toEqual({ from: FROM, to: TO, data: bytesFromHex('0x00') });
  });

  it('needs a sender, but leaves it to the keys whether it is one', () => {
    expect(refusedField(transactionRequestCodec, { to: TO })).toBe('from');
    expect(refusedField(transactionRequestCodec, { from: '', to: TO })).toBe('from');
    expect(refusedField(transactionRequestCodec, { from: null, to: TO })).toBe('from');
    expect(z.decode(transactionRequestCodec, { from: '0xbeef' }).from).toBe('0xbeef');
  });

  it.each([
    'privateFor',
    'privateFrom',
    'privacyFlag',
    'mandatoryFor',
    'privateFOR',
    'privacyGroupId',
    'restriction',
  ])('refuses %s, which would be published', (member) => {
    expect(refusedField(transactionRequestCodec, { from: FROM, [member]: KEY })).toBe(member);
    expect(refusedField(transactionRequestCodec, { from: FROM, [member]: null })).toBeUndefined();
  });

  it('refuses data and input that differ, and what it cannot sign', () => {
    expect(refusedField(transactionRequestCodec, { from: FROM, data: '0x01', input: '0x02' })).toBe('data');
    expect(refusedField(transactionRequestCodec, { from: FROM, blobs: ['0x'] })).toBe('blobs');
    expect(z.decode(transactionRequestCodec, { from: FROM, input: '0x02' }).data).toEqual(
      bytesFromHex('0x02'),
    );
  });
});

describe('a restricted private transaction', () => {
  it('goes to recipients or to a group, not to both and not to none', () => {
    const { privateFor, ...rest } = PRIVATE;
    expect(z.decode(privateTransactionRequestCodec, PRIVATE)).toEqual({
      from: FROM,
      privateFrom: KEY,
      privateFor,
    });
    expect(refusedField(privateTransactionRequestCodec, { ...rest, privacyGroupId: GROUP })).toBeUndefined();
    expect(refusedField(privateTransactionRequestCodec, { ...PRIVATE, privacyGroupId: GROUP })).toBe(
      'privateFor',
    );
    expect(refusedField(privateTransactionRequestCodec, rest)).toBe('privateFor');
    expect(refusedField(privateTransactionRequestCodec, { ...PRIVATE, privateFor: null })).toBe('privateFor');
  });

  it.each([
    ['value', '0x1'],
    ['value', 1],
    ['restriction', 'unrestricted'],
    ['restriction', null],
    ['privateFrom', 'abc'],
    ['privateFrom', null],
  ])('is refused with %s of %p', (member, value) => {
    expect(refusedField(privateTransactionRequestCodec, { ...PRIVATE, [member]: value })).toBe(member);
  });

  it.each([null, '0x0', 0, '0'])('carries no ether: a value of %p means absent', (value) => {
    expect(refusedField(privateTransactionRequestCodec, { ...PRIVATE, value })).toBeUndefined();
  });
});

describe('a message to sign', () => {
  it('is the bytes after 0x, and otherwise the text', () => {
    expect(z.decode(messageCodec, '0xdeadbeaf')).toEqual(bytesFromHex('0xdeadbeaf'));
    expect(z.decode(messageCodec, '0xabc')).toEqual(bytesFromHex('0x0abc'));
    expect(z.decode(messageCodec, 'deadbeaf')).toEqual(new TextEncoder().encode('deadbeaf'));
    expect(z.decode(messageCodec, 'é')).toHaveLength(2);
    expect(messageCodec.safeParse('0xnothex').success).toBe(false);
  });
});
