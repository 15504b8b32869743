import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Cast } from '../../test/cast/cast.js';
import type { ConsensusMessage } from './consensus-message.js';
import { decodeIbftMessage } from './ibft-message.js';
import { decodeMessage } from './message-decoding.js';
import { encodeMessage } from './message-encoding.js';
import { MessageError, messageFields } from './message-fields.js';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe.each(['qbft', 'ibft'] as const)('messages about %s blocks', (format) => {
  const cast = new Cast(4, format);
  const limits = { formatAt: () => format, maxBytes: 100_000, maxNested: 10 };
  const [one, two] = [cast.key(0), cast.key(1)];
  const block = cast.block(one);
  const certificate = cast.certificate(block, 1);
  const roundChanges = cast.keys.map((key) => cast.roundChange(key, 2, certificate));
  const messages: readonly ConsensusMessage[] = [
    cast.proposal(one, 0, block),
    cast.proposal(two, 2, block, { roundChanges, prepares: certificate.prepares }),
    cast.prepare(one, 3, block.hash),
    cast.commit(two, 3, block),
    cast.seal(two, 0, block),
    cast.roundChange(one, 0xffffffff),
    cast.roundChange(one, 2, certificate),
  ];
  const encoded = messages.map(encodeMessage);

  it('are read back as they were, with their sender', () => {
    for (const message of messages) {
      const copy = decodeMessage(encodeMessage(message), limits);
      expect(hex(encodeMessage(copy))).toBe(hex(encodeMessage(message)));
      expect(copy).toMatchObject({
        kind: message.kind,
        sender: message.sender,
        height: 1,
        round: message.round,
      });
    }
  });

  it('are refused with MessageError when they are cut anywhere', () => {
    for (const bytes of encoded) {
      for (let length = 0; length < bytes.length; length++)
        expect(() => decodeMessage(bytes.subarray(0, length), limits)).toThrow(MessageError);
    }
  });

  it('are refused, or encode to the same bytes, when some bytes are changed', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...encoded),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        (bytes, changes) => {
          const changed = new Uint8Array(bytes);
          for (const [position, value] of changes) changed[position % changed.length] = value;
          try {
            expect(hex(encodeMessage(decodeMessage(changed, limits)))).toBe(hex(changed));
          } catch (error) {
            expect(error).toBeInstanceOf(MessageError);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('are refused when they are larger or carry more than allowed', () => {
    const [small = new Uint8Array(0)] = encoded;
    expect(() => decodeMessage(small, { ...limits, maxBytes: small.length - 1 })).toThrow('above');
    const justified = encodeMessage(cast.proposal(two, 2, block, { roundChanges }));
    expect(() => decodeMessage(justified, { ...limits, maxNested: 3 })).toThrow('round changes: more than 3');
  });
});

describe('anything at all', () => {
  const limits = { formatAt: () => 'qbft' as const, maxBytes: 100_000, maxNested: 10 };

  it('is a message or refused with MessageError', () => {
    const code = fc.constantFrom(0x12, 0x13, 0x14, 0x15, 0x16, 0x11, 0xff);
    fc.assert(
      fc.property(code, fc.uint8Array({ maxLength: 300 }), (first, rest) => {
        const noise = Uint8Array.of(first, ...rest);
        expect(() => decodeMessage(noise, limits)).toThrow(MessageError);
        expect(() => decodeIbftMessage(noise)).toThrow(MessageError);
      }),
      { numRuns: 500 },
    );
  });

  it('is cheap to refuse when it is nested lists', () => {
    // 50,000 lists, each with the next inside: a recursive reader would run out of stack.
    let nested = new Uint8Array(0);
    const parts: Uint8Array[] = [];
    for (let length = 0, depth = 0; depth < 20_000; depth++) {
      const prefix = prefixOf(length);
      parts.push(prefix);
      length += prefix.length;
    }
    nested = Buffer.concat(parts.reverse());
    for (const code of [0x12, 0x13, 0x14, 0x15])
      expect(() => decodeMessage(Buffer.concat([Uint8Array.of(code), nested]), limits)).toThrow(MessageError);
  });

  it('is RLP in its shortest form only', () => {
    for (const text of [
      '8100',
      '817f',
      'b801ff',
      'b83700',
      'b90001ff',
      'f800',
      'c1',
      '8080',
      '',
      'ffffffffffffffffff',
    ])
      expect(() =>
        messageFields(Buffer.from(text, 'hex'), 'item').repeated(9, (list) => list.skip('entry')),
      ).toThrow(MessageError);
    const two = messageFields(Buffer.from('c20180', 'hex'), 'item').repeated(2, (list) => list.skip('entry'));
    expect(two).toHaveLength(2);
  });
});

/** The prefix of a list with so many bytes inside. */
function prefixOf(length: number): Uint8Array {
  if (length <= 55) return Uint8Array.of(0xc0 + length);
  if (length < 256) return Uint8Array.of(0xf8, length);
  if (length < 65_536) return Uint8Array.of(0xf9, length >> 8, length & 255);
  return Uint8Array.of(0xfa, length >> 16, (length >> 8) & 255, length & 255);
}
