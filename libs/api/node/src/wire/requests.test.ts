import { describe, expect, it } from '@jest/globals';
import { bytesFromHex, parseAddress, parseHash, parsePtmKey } from '@tetrad/types';
import { z } from 'zod';
import { ACCOUNT, CONTRACT, PTM_KEY, RECIPIENT } from '../examples.js';
import { DATA_CONFLICT, callRequestCodec } from './call-request.js';
import { rawPrivacyRequestCodec, sendRequestCodec, transactionArgumentsCodec } from './send-request.js';
import { stateOverridesCodec } from './state-overrides.js';

/** Path and text of the first issue. */
function rejection(schema: z.ZodType, value: unknown): { path: string; message: string } {
  const parsed = schema.safeParse(value);
  if (parsed.success) throw new Error('was accepted');
  const [issue] = parsed.error.issues;
  return { path: (issue?.path ?? []).join('.'), message: issue?.message ?? '' };
}

describe('a call request', () => {
  it('reads call data from input or data', () => {
    const expected = { to: parseAddress(CONTRACT), data: bytesFromHex('0xa9059cbb') };
    expect(z.decode(callRequestCodec, { to: CONTRACT, data: '0xa9059cbb' })).toEqual(expected);
    expect(z.decode(callRequestCodec, { to: CONTRACT, input: '0xa9059cbb' })).toEqual(expected);
    expect(z.decode(callRequestCodec, { to: CONTRACT, input: '0xa9059cbb', data: '0xA9059CBB' })).toEqual(
      expected,
    );
  });

  it('refuses input and data that differ, naming the field', () => {
    const conflict = { to: CONTRACT, input: '0x01', data: '0x02' };
    expect(rejection(callRequestCodec, conflict)).toEqual({ path: 'data', message: DATA_CONFLICT });
  });

  it('takes null for absent, but keeps a zero that was written out', () => {
    const decoded = z.decode(callRequestCodec, {
      from: ACCOUNT,
      to: null,
      gas: null,
      value: '0x0',
      data: null,
    });
    expect(decoded).toEqual({ from: ACCOUNT, value: 0n });
  });

  it('ignores unknown members', () => {
    expect(z.decode(callRequestCodec, { to: RECIPIENT, hardfork: 'london' })).toEqual({ to: RECIPIENT });
  });

  it.each([
    ['authorizationList', [{}]],
    ['blobVersionedHashes', [`0x01${'00'.repeat(31)}`]],
    ['maxFeePerBlobGas', '0x1'],
  ])('refuses %s, which would make it another transaction', (member, value) => {
    expect(rejection(callRequestCodec, { to: RECIPIENT, [member]: value }).path).toBe(member);
    expect(z.decode(callRequestCodec, { to: RECIPIENT, [member]: null })).toEqual({ to: RECIPIENT });
  });

  it.each([
    ['type', '0x3'],
    ['type', 3],
    ['type', '0x3'],
    ['type', '2'],
    ['type', 1.5],
    ['to', '0x00'],
    ['from', 'me'],
    ['gas', '21000'],
    ['gas', '0x'],
    ['gas', '0x01'],
    ['gas', -1],
    ['value', `0x1${'0'.repeat(64)}`],
    ['data', '0x0'],
    ['data', 'ff'],
    ['nonce', {}],
    ['accessList', [{ address: RECIPIENT }]],
  ])('refuses %s of %j, naming the field', (member, value) => {
    expect(rejection(callRequestCodec, { [member]: value }).path.split('.')[0]).toBe(member);
  });

  it.each([
    [2, 'dynamicFee'],
    ['0x02', 'dynamicFee'],
    ['0x2', 'dynamicFee'],
    [1, 'accessList'],
    [0, 'legacy'],
    ['0x00', 'legacy'],
  ])('reads the type %j, as clients write it', (wire, type) => {
    expect(z.decode(callRequestCodec, { type: wire } as never).type).toBe(type);
  });

  it.each([null, [], 'call', 7, true])('refuses %j', (value) => {
    expect(callRequestCodec.safeParse(value).success).toBe(false);
  });
});

describe('a transaction to send', () => {
  it('is private exactly when privateFor is given, even empty', () => {
    expect(z.decode(sendRequestCodec, { from: ACCOUNT, privateFor: [] })).toHaveProperty('privateFor', []);
    expect(z.decode(sendRequestCodec, { from: ACCOUNT, privateFor: null })).not.toHaveProperty('privateFor');
    const decoded = z.decode(sendRequestCodec, { from: ACCOUNT, privateFor: [PTM_KEY], privacyFlag: 1 });
    expect(decoded).toMatchObject({ privateFor: [parsePtmKey(PTM_KEY)], privacyFlag: 1 });
  });

  it.each(['privatefor', 'PrivateFor', 'private_for', 'privateTo', 'mandatoryfor', 'restrict'])(
    'refuses the misspelt %s: the payload would be published',
    (member) => {
      expect(rejection(sendRequestCodec, { from: ACCOUNT, data: '0x01', [member]: [PTM_KEY] }).path).toBe(
        member,
      );
    },
  );

  it.each(['', 'abc', PTM_KEY.slice(0, -1), `${PTM_KEY.slice(0, -2)}p=`, 7])(
    'refuses %j as a PTM key',
    (key) => {
      expect(rejection(sendRequestCodec, { from: ACCOUNT, privateFor: [key] }).path).toBe('privateFor.0');
    },
  );

  it('needs its sender where the node must not guess', () => {
    expect(rejection(transactionArgumentsCodec, { to: RECIPIENT }).path).toBe('from');
    expect(z.decode(sendRequestCodec, { to: RECIPIENT })).toEqual({ to: RECIPIENT });
  });

  it('names its recipients when it is raw and private', () => {
    expect(rejection(rawPrivacyRequestCodec, {}).path).toBe('privateFor');
    expect(rawPrivacyRequestCodec.safeParse({ privateFor: [PTM_KEY], privatFrom: PTM_KEY }).success).toBe(
      false,
    );
  });
});

describe('state overrides', () => {
  it('pad slots, and key accounts in lower case', () => {
    const overrides = z.decode(stateOverridesCodec, {
      '0xED9D02E382B34818E88B88A309C7FE71E65F419D': { nonce: '0x1', stateDiff: { '0x1': '0x2a' } },
    });
    const slot = parseHash(`0x${'00'.repeat(31)}01`);
    const value = parseHash(`0x${'00'.repeat(31)}2a`);
    expect(overrides.get(parseAddress(ACCOUNT))).toEqual({ nonce: 1n, stateDiff: new Map([[slot, value]]) });
  });

  it('refuse state and stateDiff together, unknown members, and keys that are not addresses', () => {
    expect(stateOverridesCodec.safeParse({ [ACCOUNT]: { state: {}, stateDiff: {} } }).success).toBe(false);
    expect(stateOverridesCodec.safeParse({ [ACCOUNT]: { balanse: '0x1' } }).success).toBe(false);
    expect(stateOverridesCodec.safeParse({ me: { balance: '0x1' } }).success).toBe(false);
  });
});
