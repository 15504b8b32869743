import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MESSAGE_OVERHEAD, PUSH_KINDS, type PushKind, type PushMessage } from '../wire/push-message.js';
import { Outbox, priorityOf } from './outbox.js';

const message = (kind: PushKind, length: number, fill = 0): PushMessage => ({
  kind,
  payload: new Uint8Array(length).fill(fill),
});
const arbitrary = fc.record({
  kind: fc.constantFrom(...PUSH_KINDS),
  payload: fc.uint8Array({ maxLength: 60 }),
});
const limits = { messages: 20, bytes: 600 };

function drain(outbox: Outbox): PushMessage[] {
  const all: PushMessage[] = [];
  for (const priority of ['urgent', 'bulk'] as const)
    while (outbox.has(priority)) all.push(...outbox.take(priority, 100));
  return all;
}

describe('an outbox', () => {
  it('stays within its limits, and its counts match its content', () => {
    fc.assert(
      fc.property(fc.array(arbitrary, { maxLength: 120 }), (messages) => {
        const outbox = new Outbox(limits);
        for (const one of messages) {
          outbox.put(one);
          expect(outbox.messages).toBeLessThanOrEqual(limits.messages);
          expect(outbox.bytes).toBeLessThanOrEqual(limits.bytes);
        }
        const [count, bytes] = [outbox.messages, outbox.bytes];
        const left = drain(outbox);
        expect(left).toHaveLength(count);
        expect(left.reduce((sum, { payload }) => sum + payload.length + MESSAGE_OVERHEAD, 0)).toBe(bytes);
        expect([outbox.messages, outbox.bytes]).toEqual([0, 0]);
      }),
    );
  });

  it('drops a message only when all others are at least as important', () => {
    fc.assert(
      fc.property(fc.array(arbitrary, { maxLength: 120 }), (messages) => {
        const dropped: PushKind[] = [];
        const outbox = new Outbox(limits, (kind) => dropped.push(kind));
        for (const one of messages) {
          const before = dropped.length;
          outbox.put(one);
          if (dropped.length === before) continue;
          const most = Math.min(...dropped.slice(before).map((kind) => PUSH_KINDS.indexOf(kind)));
          const copy = drain(outbox);
          for (const { kind } of copy) expect(PUSH_KINDS.indexOf(kind)).toBeLessThanOrEqual(most);
          outbox.restore(copy);
        }
      }),
    );
  });

  it('sends a traced message alone, and keeps the order', () => {
    const trace = { traceparent: 'of the fill 2' };
    const outbox = new Outbox(limits);
    const fills = [1, 2, 3, 4];
    for (const fill of fills)
      outbox.put({ ...message('transaction', 10, fill), ...(fill === 2 ? { trace } : {}) });
    const pushes: number[][] = [];
    while (outbox.has('bulk')) pushes.push(outbox.take('bulk', 1_000).map(({ payload }) => payload[0] ?? 0));
    expect(pushes).toEqual([[1], [2], [3, 4]]);
  });

  it('returns messages of a kind in order, also after some were put back', () => {
    const outbox = new Outbox({ messages: 100, bytes: 10_000 });
    for (let index = 0; index < 9; index++) outbox.put(message('consensus', 10, index));
    const first = outbox.take('urgent', 70);
    expect(first).toHaveLength(3);
    outbox.restore(first);
    outbox.put(message('consensus', 10, 9));
    expect(drain(outbox).map(({ payload }) => payload[0])).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('sends a message that is larger than a push alone', () => {
    const outbox = new Outbox({ messages: 100, bytes: 10_000 });
    outbox.put(message('block', 500));
    outbox.put(message('transaction', 5));
    expect(outbox.take('bulk', 100).map(({ kind }) => kind)).toEqual(['block']);
    expect(outbox.take('bulk', 100).map(({ kind }) => kind)).toEqual(['transaction']);
  });

  it('keeps only the newest head', () => {
    const outbox = new Outbox(limits);
    const [old, fresh] = [message('head', 9, 1), message('head', 9, 2)];
    outbox.put(old);
    const taken = outbox.take('urgent', 100);
    outbox.put(fresh);
    outbox.restore(taken);
    expect(drain(outbox)).toEqual([fresh]);
  });

  it('keeps the newest consensus messages of a peer that disconnected', () => {
    const outbox = new Outbox(limits);
    for (let index = 0; index < 5; index++) outbox.put(message('consensus', 4, index));
    for (const kind of ['transaction', 'block', 'head', 'hash'] as const) outbox.put(message(kind, 4));
    outbox.keepConsensus(3);
    expect(drain(outbox).map(({ kind, payload }) => [kind, payload[0]])).toEqual([
      ['consensus', 2],
      ['consensus', 3],
      ['consensus', 4],
    ]);
  });

  it('sends bulk and urgent messages independently', () => {
    expect(PUSH_KINDS.map(priorityOf)).toEqual([...Array(5).fill('urgent'), ...Array(4).fill('bulk')]);
  });
});
