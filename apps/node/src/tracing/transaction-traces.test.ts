import { describe, expect, it } from '@jest/globals';
import { hashFromBytes, type Block, type Hash, type SpanOptions, type Tracer } from '@tetrad/types';
import { TransactionTraces } from './transaction-traces.js';

const hashOf = (index: number): Hash =>
  hashFromBytes(Buffer.from(index.toString(16).padStart(64, '0'), 'hex'));
const headersOf = (flag: '00' | '01') => ({ traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-${flag}` });
const SAMPLED = headersOf('01');
const blockOf = (number: number, ...hashes: readonly Hash[]) =>
  ({ header: { number }, transactions: hashes.map((hash) => ({ hash })) }) as unknown as Block;

/**
 * Traces with a tracer that notes its calls.
 * @param headers - of the current span
 */
function traces(headers: Record<string, string> = {}) {
  const noted: unknown[] = [];
  const tracer: Tracer = {
    run<T>(name: string, task: () => T, options?: SpanOptions) {
      noted.push({ name, ...options });
      return task();
    },
    record: (name, options) => void noted.push({ name, ...options }),
    annotate: () => undefined,
    headers: () => headers,
  };
  return { traces: new TransactionTraces(tracer, { now: () => 7 }), noted };
}

const following = {
  findHead: () => Promise.resolve(undefined),
  follow: () => Promise.resolve({ kind: 'followed' } as const),
};

describe('the trace of a transaction', () => {
  it('is the one in which the pool accepted it, and records the block that it is in', () => {
    const { traces: own, noted } = traces(SAMPLED);
    own.accepted(hashOf(1));
    expect(own.of(hashOf(1))).toEqual(SAMPLED);
    own.stored(blockOf(12, hashOf(2), hashOf(1)));
    const values = { 'tetrad.transaction_hash': hashOf(1), 'tetrad.block_number': 12 };
    expect(noted).toEqual([{ name: 'import block with transaction', below: SAMPLED, startMs: 7, values }]);
  });

  it('is the one that a peer sent, also when the pool accepts it in another', () => {
    const { traces: own } = traces({ traceparent: SAMPLED.traceparent.replaceAll('a', 'c') });
    own.received(hashOf(1), SAMPLED);
    own.accepted(hashOf(1));
    expect(own.of(hashOf(1))).toEqual(SAMPLED);
  });

  it.each([
    ['absent', {}],
    ['not sampled', headersOf('00')],
    ['malformed', { traceparent: 'x' }],
  ])('is none when the headers are %s', async (_, headers) => {
    const { traces: own, noted } = traces(headers);
    own.accepted(hashOf(1));
    own.received(hashOf(2), headers);
    own.stored(blockOf(1, hashOf(1), hashOf(2)));
    await own.follow(following).follow(blockOf(1, hashOf(1)));
    expect(noted).toEqual([]);
  });

  it('has the work that follows its block', async () => {
    const { traces: own, noted } = traces();
    own.received(hashOf(1), SAMPLED);
    expect(await own.follow(following).follow(blockOf(3, hashOf(9), hashOf(1)))).toEqual({
      kind: 'followed',
    });
    expect(noted).toEqual([
      { name: 'follow private block', below: SAMPLED, values: { 'tetrad.block_number': 3 } },
    ]);
  });

  it('is forgotten when thousands came after it', () => {
    const { traces: own } = traces();
    for (let index = 0; index <= 4_096; index++) own.received(hashOf(index), SAMPLED);
    expect(own.of(hashOf(0))).toBeUndefined();
    expect(own.of(hashOf(1))).toEqual(SAMPLED);
    expect(own.of(hashOf(4_096))).toEqual(SAMPLED);
  });
});
