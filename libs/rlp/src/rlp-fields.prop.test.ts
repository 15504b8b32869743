import { describe, expect, it } from '@jest/globals';
import { RLP } from '@ethereumjs/rlp';
import fc from 'fast-check';
import { RlpFields } from './rlp-fields.js';

class Fault extends Error {}
const read = (bytes: Uint8Array) => RlpFields.of(bytes, 'message', (message) => new Fault(message));
const of = (...fields: unknown[]) => read(RLP.encode(fields as never));

describe('the fields of a list', () => {
  it('are those that the library wrote, in order', () => {
    const content = fc.uint8Array({ maxLength: 70 });
    fc.assert(
      fc.property(
        content,
        fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
        fc.maxSafeNat(),
        (bytes, big, small) => {
          const fields = of(bytes, big, [small, [bytes]], Uint8Array.from(new Array<number>(32).fill(7)));
          expect(Buffer.compare(fields.bytes('bytes', 70), bytes)).toBe(0);
          expect(fields.scalar('big')).toBe(big);
          const inner = fields.list('inner');
          expect(inner.count('small')).toBe(small);
          expect(Buffer.compare(inner.list('list').encoded, RLP.encode([bytes]))).toBe(0);
          inner.end();
          expect(fields.hash('hash')).toBe(`0x${'07'.repeat(32)}`);
          expect(fields.isDone).toBe(true);
        },
      ),
    );
  });

  it('end in an error of the reader, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        try {
          const fields = read(bytes);
          fields.count('a');
          fields.list('b').repeated(3, (list) => list.exactly('c', 0, 20));
          fields.end();
        } catch (error) {
          expect(error).toBeInstanceOf(Fault);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it.each<[string, () => unknown, string]>([
    ['bytes for a list', () => of(1).list('a'), 'message: a: expected a list, found bytes'],
    ['a list for bytes', () => of([]).bytes('a', 1), 'message: a: expected bytes, found a list'],
    ['too long', () => of('abc').bytes('a', 2), 'message: a: more than 2 bytes'],
    ['too short', () => of('abc').exactly('a', 4, 65), 'message: a: not 4 or 65 bytes'],
    ['with zeros in front', () => of(Uint8Array.of(0, 1)).scalar('a'), 'message: a: leading zeros'],
    ['above its bound', () => of(256).count('a', 255), 'message: a: above 255'],
    ['no text', () => of('é').text('a', 9), 'message: a: not printable ASCII'],
    ['not there', () => of().count('a'), 'message: a: missing'],
    ['one too many', () => of(1).end(), 'message: too many fields'],
    [
      'too often there',
      () => of(1, 2, 3).repeated(2, (list) => list.count('a')),
      'message: more than 2 items',
    ],
    ['behind the end', () => read(Uint8Array.of(0xc0, 0)), 'message: trailing bytes'],
    ['no list at all', () => read(Uint8Array.of(0x80)), 'message: expected a list, found bytes'],
    ['in a list of its own', () => of([[], 1]).list('in').list('a').count('b'), 'a: b: missing'],
  ])('are refused by name when one is %s', (_case, act, message) => {
    expect(act).toThrow(new Fault(message));
  });

  it('are read in line with the bytes, when those are brackets only', () => {
    const bytes = new Uint8Array(100_000);
    for (let at = 0; at < 50_000; at += 4) {
      const length = bytes.length - at - 4;
      bytes.set([0xfa, length >> 16, (length >> 8) & 0xff, length & 0xff], at);
    }
    // One list is opened for each that is read, and none inside it.
    expect(() => read(bytes).list('a').bytes('b', 32)).toThrow('a: b: expected bytes, found a list');
  });
});
