import { beforeEach, describe, expect, it } from '@jest/globals';
import type { SentPayload, SignedOutcome } from './answers.js';
import type { Outcome } from './outcome.js';
import { SendGroups, type SignedSend } from './send-groups.js';

const hashOf = (index: number) => Buffer.alloc(64, index);
const done = (index: number) => {
  const value: SentPayload = { hash: hashOf(index), managedParties: [], sender: undefined };
  return { kind: 'done', value } as const;
};
const turns = async () => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((next) => setImmediate(next));
};

interface Request {
  readonly of: number[];
  readonly tell: (one: SignedOutcome) => void;
  readonly end: (outcome: Outcome<SentPayload>) => Promise<void>;
}

describe('sends of stored payloads', () => {
  let requests: Request[];
  let timers: (() => void)[];
  let groups: SendGroups<SignedSend>;
  const send = (index: number, length = 10) => groups.send({ hash: hashOf(index), body: 'x'.repeat(length) });
  const ask = (sends: readonly SignedSend[], tell: Request['tell']) =>
    new Promise<Outcome<SentPayload>>((answer) => {
      const end = async (outcome: Outcome<SentPayload>) => {
        answer(outcome);
        await turns();
      };
      requests.push({ of: sends.map(({ hash }) => hash[0] ?? 0), tell, end });
    });
  const asked = () => requests.map(({ of }) => of);
  beforeEach(() => {
    [requests, timers] = [[], []];
    groups = new SendGroups<SignedSend>({
      alone: (one) => ask([one], () => undefined),
      together: ask,
      schedule: (_, run) => void timers.push(run),
    });
  });

  it('go by themselves while none is under way, and together while one is', async () => {
    const first = send(1);
    const others = [send(2), send(3)];
    expect(asked()).toEqual([[1]]);
    await requests[0]?.end(done(1));
    expect(await first).toEqual(done(1));
    expect(asked()).toEqual([[1], [2, 3]]);
    requests[1]?.tell({ hash: hashOf(3), outcome: { kind: 'refused', status: 404, text: 'absent' } });
    requests[1]?.tell({ hash: hashOf(2), outcome: done(2) });
    expect(await Promise.all(others)).toEqual([done(2), { kind: 'refused', status: 404, text: 'absent' }]);
  });

  it('follow when the request before says something, which need not be all, or nothing for a while', async () => {
    const all = [send(1), send(2), send(3)];
    await requests[0]?.end(done(1));
    all.push(send(4));
    expect(asked()).toEqual([[1], [2, 3]]);
    requests[1]?.tell({ hash: hashOf(2), outcome: done(2) });
    await turns();
    expect(asked()).toEqual([[1], [2, 3], [4]]);
    all.push(send(5));
    timers.at(-1)?.();
    await turns();
    expect(asked()).toEqual([[1], [2, 3], [4], [5]]);
    requests[1]?.tell({ hash: hashOf(3), outcome: done(3) });
    await Promise.all([requests[2]?.end(done(4)), requests[3]?.end(done(5))]);
    expect(await Promise.all(all)).toEqual([1, 2, 3, 4, 5].map(done));
  });

  it('count as unknown where the answer leaves them out, names another payload, or breaks off', async () => {
    void send(1);
    const left = [send(2), send(3)];
    await requests[0]?.end(done(1));
    requests[1]?.tell({ hash: hashOf(9), outcome: done(9) });
    await requests[1]?.end(done(0));
    const untold = { kind: 'unknown', reason: 'the answer says nothing of the payload' };
    expect(await Promise.all(left)).toEqual([untold, untold]);
    void send(4);
    const broken = [send(5), send(6)];
    await requests[2]?.end(done(4));
    requests[3]?.tell({ hash: hashOf(5), outcome: done(5) });
    await requests[3]?.end({ kind: 'unknown', reason: 'away' });
    expect(await Promise.all(broken)).toEqual([done(5), { kind: 'unknown', reason: 'away' }]);
  });

  it('go one by one when the manager refuses them together', async () => {
    void send(1);
    const all = [send(2), send(3)];
    await requests[0]?.end(done(1));
    await requests[1]?.end({ kind: 'refused', status: 404, text: 'HTTP 404 Not Found' });
    expect(asked()).toEqual([[1], [2, 3], [2], [3]]);
    await Promise.all([requests[2]?.end(done(2)), requests[3]?.end(done(3))]);
    expect(await Promise.all(all)).toEqual([done(2), done(3)]);
  });

  it('are bounded in number and bytes, and one payload is sent once in a request', async () => {
    void send(0);
    for (let index = 1; index <= 65; index += 1) void send(index);
    void send(1);
    await requests[0]?.end(done(0));
    expect(requests[1]?.of).toHaveLength(64);
    await requests[1]?.end({ kind: 'unknown', reason: 'away' });
    expect(requests[2]?.of).toEqual([65, 1]);
    for (const index of [100, 101]) void send(index, 200_000);
    void send(102, 300_000);
    expect(requests[3]?.of).toEqual([102]);
    await requests[2]?.end({ kind: 'unknown', reason: 'away' });
    expect(requests[4]?.of).toEqual([100]);
  });
});
