import { describe, expect, it } from '@jest/globals';
import { encodeRlp } from '@tetrad/rlp';
import type { Address } from '@tetrad/types';
import type { NodeId } from '../identity/node-id.js';
import type { Peer } from '../peers/peer.js';
import type { StatePort } from '../ports.js';
import { StateService } from './state-service.js';

/** A clock that a test moves, and the pauses that wait for it. */
class PausedClock {
  nowMs = 0;
  readonly pauses: { readonly ms: number; readonly end: () => void }[] = [];

  now(): number {
    return this.nowMs;
  }

  schedule(ms: number, end: () => void): () => void {
    this.pauses.push({ ms, end });
    return () => undefined;
  }
}

const peer = (name: string, more: Partial<Peer> = {}) => ({ nodeId: name as NodeId, ...more }) as Peer;
const [A, B, C] = [peer('a'), peer('b'), peer('c')] as const;
const VALIDATOR = `0x${'aa'.repeat(20)}` as Address;
const validators = () => [VALIDATOR];
const HEADERS = { kind: 'headers', from: 0, limit: 1, byteBudget: 1 } as const;
const settled = () => new Promise((turn) => setImmediate(turn));

/** Work of which each piece takes so long, and ends when the test says. */
function serviceOf(stateQuestions: number, tookMs = 60) {
  const clock = new PausedClock();
  const began: (() => void)[] = [];
  const state = {
    headers: () =>
      new Promise<Uint8Array[]>((resolve) =>
        began.push(() => {
          clock.nowMs += tookMs;
          resolve([Uint8Array.of(1)]);
        }),
      ),
  } as unknown as StatePort;
  return {
    clock,
    began,
    service: new StateService({ state, clock, validators, limits: { stateQuestions } }),
  };
}

describe('questions about the state', () => {
  it('are answered one after the other, with a pause of a third of the time of the work before', async () => {
    const { clock, began, service } = serviceOf(8);
    const answers = [A, B].map((one) => service.answer(one, HEADERS));
    await settled();
    expect(began).toHaveLength(1);
    began[0]?.();
    await expect(answers[0]).resolves.toEqual(encodeRlp([Uint8Array.of(1)]));
    await settled();
    expect(began).toHaveLength(1);
    expect(clock.pauses.map(({ ms }) => ms)).toEqual([20]);
    clock.pauses[0]?.end();
    await settled();
    began[1]?.();
    await expect(answers[1]).resolves.toBeDefined();
  });

  it('are not paused for long after the clock was set', async () => {
    const { clock, began, service } = serviceOf(8, 3_600_000);
    void service.answer(A, HEADERS);
    await settled();
    began[0]?.();
    await settled();
    expect(clock.pauses.map(({ ms }) => ms)).toEqual([10_000]);
  });

  it('of a peer that asks again while one waits are to come again, so that others have their turn', async () => {
    const { began, service } = serviceOf(8);
    const first = service.answer(A, HEADERS);
    for (let times = 0; times < 100; times++)
      await expect(service.answer(A, HEADERS)).resolves.toBeUndefined();
    void service.answer(B, HEADERS);
    began[0]?.();
    await settled();
    began[0]?.();
    await expect(first).resolves.toBeDefined();
  });

  it('are to come again when as many wait as may', async () => {
    const { service } = serviceOf(2);
    void service.answer(A, HEADERS);
    void service.answer(B, HEADERS);
    await expect(service.answer(C, HEADERS)).resolves.toBeUndefined();
  });

  it.each<[string, Partial<Peer>]>([
    ['a validator', { address: VALIDATOR }],
    ['a peer that the operator named', { isStatic: true }],
  ])('of strangers with as many names as they like give way to one of %s', async (_, member) => {
    const { clock, began, service } = serviceOf(8);
    const strangers = Array.from({ length: 8 }, (__, index) =>
      service.answer(peer(`stranger ${index}`, { lastAddress: `10.0.0.${index}` }), HEADERS),
    );
    await settled();
    const answer = service.answer(peer('member', member), HEADERS);
    await expect(strangers.at(-1)).resolves.toBeUndefined();
    began[0]?.();
    await settled();
    clock.pauses[0]?.end();
    await settled();
    began[1]?.();
    await expect(answer).resolves.toBeDefined();
  });

  it('fail alone: the next one is answered', async () => {
    const clock = new PausedClock();
    const fates = [() => Promise.reject(new Error('no database')), async () => []];
    const state = { headers: () => fates.shift()?.() } as unknown as StatePort;
    const service = new StateService({ state, clock, validators, limits: { stateQuestions: 8 } });
    await expect(service.answer(A, HEADERS)).rejects.toThrow('no database');
    const next = service.answer(A, HEADERS);
    await settled();
    clock.pauses[0]?.end();
    await expect(next).resolves.toEqual(encodeRlp([]));
  });

  it('have empty answers on a node that serves no state', async () => {
    const clock = new PausedClock();
    const options = { state: undefined, clock, validators, limits: { stateQuestions: 8 } };
    await expect(new StateService(options).answer(A, { kind: 'validators', number: 1 })).resolves.toEqual(
      encodeRlp([]),
    );
  });
});
