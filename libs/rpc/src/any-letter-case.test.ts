import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { acceptAnyLetterCase } from './any-letter-case.js';
import { decodeParams } from './decode-params.js';
import { defineMethod, param } from './define-method.js';

const entry = z.object({ storageKeys: z.array(z.string()).nullish() });
const reference = z.union([
  z.string(),
  z.object({ blockHash: z.string() }),
  z.object({ blockNumber: z.int() }),
]);
const request = z.codec(
  z.looseObject({ to: z.string().nullish(), accessList: z.array(entry).nullish() }),
  z.custom<Record<string, unknown>>(() => true),
  { decode: (wire) => wire, encode: (value) => value },
);
const { test_send: send, test_plain: plain } = acceptAnyLetterCase({
  test_send: defineMethod({
    summary: 'Takes objects.',
    params: [
      param('transaction', request, 'with a list of objects'),
      param('block', reference, 'text or one of two objects'),
      param('overrides', z.record(z.string(), z.object({ stateDiff: z.int() })), 'by address'),
    ],
    result: z.null(),
    source: 'this test',
    examples: [],
  }),
  test_plain: defineMethod({
    summary: 'Takes text.',
    params: [param('data', z.string(), 'text')],
    result: z.null(),
    source: 'this test',
    examples: [],
  }),
});
const decode = (...params: unknown[]) => decodeParams(send, params);

describe('parameters of clients of Go’s servers', () => {
  it('are read in any letter case at every depth', () => {
    const decoded = decode(
      { TO: 'a', AccessList: [{ storagekeys: ['k'] }], Note: 1 },
      { BlockHash: 'b' },
      { '0xAB': { StateDiff: 3 } },
    );
    expect(decoded).toEqual([
      { to: 'a', accessList: [{ storageKeys: ['k'] }], Note: 1 },
      { blockHash: 'b' },
      { '0xAB': { stateDiff: 3 } },
    ]);
    expect(decode({}, { BLOCKNUMBER: 7 }, {})[1]).toEqual({ blockNumber: 7 });
  });

  it.each<[unknown[], string]>([
    [[{ to: 'a', To: 'b' }, 'latest', {}], 'transaction.To'],
    [
      [{ accessList: [{}, { storageKeys: [], STORAGEKEYS: [] }] }, 'latest', {}],
      'transaction.accessList[1].STORAGEKEYS',
    ],
    [[{}, { blockHash: 'a', BlockHash: 'b' }, {}], 'block.BlockHash'],
    [[{}, 'latest', { x: { stateDiff: 1, statediff: 2 } }], 'overrides.x.statediff'],
    [[{}, 'latest', { x: { '\u017ftateDiff': 1 } }], 'overrides.x.\u017ftateDiff'],
  ])('are refused when another reader may take another member: %j', (params, field) => {
    expect(() => decode(...params)).toThrow(
      expect.objectContaining({ code: 'INVALID_PARAMS', data: expect.objectContaining({ field }) }) as never,
    );
  });

  it('that have no members are as they were', () => {
    expect(plain.accepts).toEqual([]);
    expect(send.accepts).toMatchObject([{ what: 'member names in any letter case, each once' }]);
  });
});
