import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { BLOCK_HASH, CONTRACT, RECIPIENT, TOPIC } from '../examples.js';
import { logCriteriaCodec } from './log-criteria.js';

describe('a log filter', () => {
  it('matches everything when it is empty', () => {
    expect(z.decode(logCriteriaCodec, {})).toEqual({ addresses: [], topics: [] });
    expect(z.decode(logCriteriaCodec, { fromBlock: null, address: null, topics: null })).toEqual({
      addresses: [],
      topics: [],
    });
  });

  it('reads one emitter or several, and a topic or several at each position', () => {
    const other = `0x${'71'.repeat(32)}`;
    expect(z.decode(logCriteriaCodec, { address: CONTRACT, topics: [TOPIC, null, [TOPIC, other]] })).toEqual({
      addresses: [CONTRACT],
      topics: [[TOPIC], undefined, [TOPIC, other]],
    });
    expect(z.decode(logCriteriaCodec, { address: [CONTRACT, RECIPIENT] }).addresses).toHaveLength(2);
  });

  it.each([[[]], [[[null]]], [[[TOPIC, null]]]])('takes %j for any topic, as other clients do', (topics) => {
    expect(z.decode(logCriteriaCodec, { topics: topics as never }).topics[0]).toBeUndefined();
  });

  it.each([
    [{ blockHash: BLOCK_HASH, fromBlock: '0x1' }, 'blockHash'],
    [{ blockHash: BLOCK_HASH, toBlock: 'latest' }, 'blockHash'],
    [{ topics: [null, null, null, null, null] }, 'topics'],
    [{ topics: ['0x1'] }, 'topics.0'],
    [{ address: 'me' }, 'address'],
    [{ fromBlock: 1 }, 'fromBlock'],
  ])('refuses %j, naming the field', (filter, field) => {
    const parsed = logCriteriaCodec.safeParse(filter);
    expect(parsed.error?.issues[0]?.path.join('.')).toBe(field);
  });
});
