import { describe, expect, it } from '@jest/globals';
import { ACCOUNT } from './examples.js';
import {
  bareData,
  hexForInteger,
  integersInTransaction,
  textFromInteger,
  trailingNullCallback,
} from './tolerances.js';

describe('tolerances', () => {
  it('read JSON integers in a transaction object, however large', () => {
    const { normalize } = integersInTransaction(0);
    const request = { from: ACCOUNT, value: 10n ** 20n, gas: 21000, nonce: 0, privacyFlag: 1, data: '0x' };
    expect(normalize([request, 5])).toEqual([
      { ...request, value: '0x56bc75e2d63100000', gas: '0x5208', nonce: '0x0' },
      5,
    ]);
  });

  it.each([[[]], [[null]], [['0x']], [[[1]]], [[{ gas: -1 }]], [[{ gas: 1.5 }]], [[{ gas: '0x1' }]]])(
    'leave %j for validation to check',
    (params) => {
      expect(integersInTransaction(0).normalize(params)).toEqual(params);
    },
  );

  it('read hex where an integer is declared, at the named positions only', () => {
    expect(hexForInteger('test', 1).normalize(['0x1', '0x02', '0xzz'])).toEqual(['0x1', 2, '0xzz']);
    expect(hexForInteger('test', 0).normalize(['0x100000000000000'])).toEqual(['0x100000000000000']);
  });

  it('read integers where text is declared', () => {
    expect(textFromInteger('test', 0).normalize([4])).toEqual(['4']);
    expect(textFromInteger('test', 0).normalize([4.5])).toEqual([4.5]);
  });

  it('read data without 0x, at the named positions only', () => {
    expect(bareData('test', 0).normalize(['f8fC', 'f8fc'])).toEqual(['0xf8fC', 'f8fc']);
    for (const other of ['0xf8fc', '', 'f8f', 'f8fg', '0x', 5, null])
      expect(bareData('test', 0).normalize([other])).toEqual([other]);
  });

  it('drop null in the place of a callback, and nothing else', () => {
    expect(trailingNullCallback(1).normalize([{}, null])).toEqual([{}]);
    expect(trailingNullCallback(1).normalize([{}, 1])).toEqual([{}, 1]);
    expect(trailingNullCallback(2).normalize([{}, null])).toEqual([{}, null]);
  });
});
