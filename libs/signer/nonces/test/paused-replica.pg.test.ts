import { describe, expect, it, jest } from '@jest/globals';
import type { Hash } from '@tetrad/types';
import { idempotencyClaim, type NonceSend } from '../src/index.js';
import { ACCOUNT, timeOut, unsent, useNonceManager } from './nonce-manager-setup.js';
import { until, type Replica } from './replica.js';
import { encode } from './strict-chain.js';

const manager = useNonceManager();

/** A paused process renews nothing and makes no passes: it has none of its own in the time of a test. */
const PAUSED = { timing: { replicaTtlMs: 86_400_000, passMs: 3_600_000 } };

const claim = idempotencyClaim({
  caller: 'alice',
  account: ACCOUNT,
  key: 'one',
  request: Buffer.from('pay'),
});

const minedIds = () => {
  manager.chain.mine();
  return manager.minedIds();
};

/** Where a send stands still. */
class Pause {
  isReached = false;
  /** Of a caller who leaves meanwhile. */
  readonly signal = { aborted: false };
  end = () => {};
  private readonly over = new Promise<void>((go) => (this.end = go));

  async stand(): Promise<void> {
    this.isReached = true;
    await this.over;
    this.signal.aborted = true;
  }

  /** The send has come here, and its replica is taken for dead. */
  async reached({ store }: Replica): Promise<void> {
    await until(() => this.isReached, 'the send is paused');
    await store.replicas.leave();
  }
}

type Step = 'reserve' | 'storeSigned' | 'storeGiven';

/** A replica whose sends stand still before the step of its store, or after it. */
async function startPausedBefore(step: Step, pause: Pause, { isAfter = false } = {}): Promise<Replica> {
  const replica = await manager.start({}, PAUSED);
  const { nonces } = replica.store;
  const take = nonces[step].bind(nonces) as (of: unknown) => Promise<never>;
  const paused = async (of: unknown) => {
    if (!isAfter) await pause.stand();
    const taken = await take(of);
    if (isAfter) await pause.stand();
    return taken;
  };
  Object.assign(nonces, { [step]: paused });
  return replica;
}

const signLater = (pause: Pause): Partial<NonceSend> => ({
  sign: async (nonce) => {
    await pause.stand();
    return encode({ account: ACCOUNT, nonce: nonce.toString(), id: 'first' });
  },
});

describe('a request with an idempotency key, whose replica stood still and was taken for dead', () => {
  it.each<[string, (pause: Pause) => Promise<{ readonly replica: Replica; changes?: Partial<NonceSend> }>]>([
    ['before it had a nonce', async (pause) => ({ replica: await startPausedBefore('reserve', pause) })],
    [
      'before it signed',
      async (pause) => ({ replica: await manager.start({}, PAUSED), changes: signLater(pause) }),
    ],
    [
      'before its bytes were stored',
      async (pause) => ({ replica: await startPausedBefore('storeSigned', pause) }),
    ],
  ])('%s, is paid once and has one answer', async (_where, startPaused) => {
    const pause = new Pause();
    const { replica, changes } = await startPaused(pause);
    const first = replica.send(ACCOUNT, 'first', { claim, ...changes });
    await pause.reached(replica);
    const other = await manager.start();
    const hash = await other.send(ACCOUNT, 'second', { claim });
    pause.end();
    expect(await first).toBe(hash);
    expect(minedIds()).toEqual(['second']);
    // The nonce that it had is not missing.
    await replica.send(ACCOUNT, 'next');
    expect(minedIds()).toEqual(['second', 'next']);
  });

  it('before it submitted, has its own bytes submitted by the other', async () => {
    const pause = new Pause();
    const submit = async (raw: Uint8Array) => {
      await pause.stand();
      return manager.chain.submit(raw);
    };
    const replica = await manager.start({ submit }, PAUSED);
    const first = replica.send(ACCOUNT, 'first', { claim });
    await pause.reached(replica);
    const other = await manager.start();
    const hash = await other.send(ACCOUNT, 'second', { claim });
    pause.end();
    expect(await first).toBe(hash);
    expect(minedIds()).toEqual(['first']);
  });

  it('waits for the answer of the other while that has none', async () => {
    const pause = new Pause();
    const replica = await startPausedBefore('storeSigned', pause);
    const looks = jest.spyOn(replica.store.idempotency, 'claim').mock.calls;
    const first = replica.send(ACCOUNT, 'first', { claim });
    await pause.reached(replica);
    let isLost = true;
    let submitted: Hash | undefined;
    const submit = async (raw: Uint8Array): Promise<Hash> => {
      if (!isLost) return manager.chain.submit(raw);
      // Once: that the transaction is known would be an answer.
      submitted ??= manager.chain.submit(raw);
      throw timeOut();
    };
    const other = await manager.start({ submit });
    await expect(other.send(ACCOUNT, 'second', { claim })).rejects.toThrow('timed out');
    pause.end();
    await until(() => looks.length > 2, 'it has looked for an answer');
    isLost = false;
    const hash = await first;
    expect(minedIds()).toEqual(['second']);
    expect(manager.chain.knows(hash)).toBe(true);
  });

  it('is sent by the first after all, when the other gave the key up', async () => {
    const pause = new Pause();
    const replica = await startPausedBefore('storeSigned', pause);
    const first = replica.send(ACCOUNT, 'first', { claim });
    await pause.reached(replica);
    const other = await manager.start();
    const sign = () => Promise.reject(new Error('vault is sealed'));
    await expect(other.send(ACCOUNT, 'second', { claim, sign })).rejects.toThrow('sealed');
    pause.end();
    await first;
    expect(minedIds()).toEqual(['first']);
  });
});

describe('a request whose replica stood still and was taken for dead', () => {
  it('is paid once with the nonce that its caller chose', async () => {
    const pause = new Pause();
    const replica = await startPausedBefore('storeGiven', pause);
    const first = replica.send(ACCOUNT, 'first', { claim, nonce: 0n });
    await pause.reached(replica);
    const other = await manager.start();
    const hash = await other.send(ACCOUNT, 'second', { claim, nonce: 0n });
    pause.end();
    await expect(first).rejects.toThrow('underpriced');
    expect(await replica.send(ACCOUNT, 'third', { claim, nonce: 0n })).toBe(hash);
    expect(minedIds()).toEqual(['second']);
  });

  it.each<[string, (pause: Pause) => Promise<{ readonly replica: Replica; changes?: Partial<NonceSend> }>]>([
    [
      'it could not connect',
      async (pause) => {
        const submit = async () => {
          await pause.stand();
          throw unsent();
        };
        return { replica: await manager.start({ submit }, PAUSED) };
      },
    ],
    [
      'its caller had left',
      async (pause) => ({
        replica: await startPausedBefore('storeSigned', pause, { isAfter: true }),
        changes: { signal: pause.signal },
      }),
    ],
  ])('is not said to be unsent when %s after another submitted it', async (_why, startPaused) => {
    const pause = new Pause();
    const { replica, changes } = await startPaused(pause);
    const send = replica.send(ACCOUNT, 'send', changes);
    void send.catch(() => undefined);
    await pause.reached(replica);
    const other = await manager.start();
    await manager.settled(other);
    pause.end();
    await expect(send).rejects.toThrow('Connection to downstream node timed out');
    expect(manager.minedIds()).toEqual(['send']);
  });
});
