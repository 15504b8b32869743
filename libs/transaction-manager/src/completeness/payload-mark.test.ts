import { describe, expect, it } from '@jest/globals';
import { Enclave } from '../enclave/enclave.js';
import { generateKeyPair } from '../keys/key-pair.js';
import { KeyRing } from '../keys/key-ring.js';
import { isSetBack, parseForeignMark, readMark, writeMark } from './payload-mark.js';

const [enclave, other] = [1, 2].map(() => new Enclave(new KeyRing([generateKeyPair()]))) as [
  Enclave,
  Enclave,
];
const epoch = new Uint8Array(16).fill(1);
const position = { epoch, sinceMs: 1_000, sequence: 7 };

describe('a mark that a peer keeps', () => {
  it('is read by the manager that wrote it alone', () => {
    const mark = writeMark(position, enclave);
    expect(readMark(mark, enclave)).toMatchObject({ sinceMs: 1_000, sequence: 7 });
    expect(readMark(mark, other)).toBeUndefined();
    for (const changed of ['', 'x', mark.slice(4), mark.slice(0, -8), 'A'.repeat(600)])
      expect(readMark(changed, enclave)).toBeUndefined();
    const { first } = enclave.ring;
    const foreign = Buffer.from(enclave.sealBetween(first, first, Buffer.from('other purpose'))).toString(
      'base64',
    );
    expect(readMark(foreign, enclave)).toBeUndefined();
  });

  it('is kept only in the form of one', () => {
    const mark = writeMark(position, enclave);
    expect(parseForeignMark(mark)?.toString('base64')).toBe(mark);
    for (const header of [undefined, '', 'not base64!', [mark], 'A'.repeat(600)])
      expect(parseForeignMark(header)).toBeUndefined();
  });
});

describe('rows that were set back', () => {
  it('are behind in their epoch, or of an epoch before a later one', () => {
    const next = { epoch: new Uint8Array(16).fill(2), sinceMs: 2_000, sequence: 3 };
    expect(isSetBack(position, position)).toBe(false);
    expect(isSetBack({ ...position, sequence: 6 }, position)).toBe(true);
    expect(isSetBack({ ...position, sequence: 8 }, position)).toBe(false);
    // A recovery made a new epoch, whose payloads are counted from the beginning.
    expect(isSetBack(next, position)).toBe(false);
    expect(isSetBack(position, next)).toBe(true);
  });
});
