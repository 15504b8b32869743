import { describe, expect, it } from '@jest/globals';
import { hexBytes, recorded } from '../../test/recorded.js';
import { decodePartyInfo, encodePartyInfo } from './party-info.js';

const announced = Object.entries(recorded.otherP2P).flatMap(([name, { requestHex, decoded }]) =>
  decoded === undefined ? [] : [{ name, requestHex, decoded }],
);

describe('announcements of a running manager', () => {
  it.each(announced)('$name is read and written', ({ requestHex, decoded }) => {
    const info = decodePartyInfo(hexBytes(requestHex));
    const keys = decoded.keys.map(([key, url]) => ({ key, url }));
    expect(info).toEqual({ url: decoded.url, keys, parties: decoded.parties });
    expect(Buffer.from(encodePartyInfo(info)).toString('hex')).toBe(requestHex);
  });

  it.each(announced.filter(({ name }) => !name.endsWith('empty-answer')))(
    'the answer to $name is written',
    ({ name }) => {
      const { responseHex } = recorded.otherP2P[name]!;
      const answer = decodePartyInfo(hexBytes(responseHex));
      expect([answer.keys, answer.parties]).toEqual([[], []]);
      expect(Buffer.from(encodePartyInfo(answer)).toString('hex')).toBe(responseHex);
    },
  );
});
