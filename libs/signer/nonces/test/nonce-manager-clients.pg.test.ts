import { describe, expect, it } from '@jest/globals';
import { ForwardedError } from '@tetrad/rpc';
import { seededRandom, testSeed } from '@tetrad/testkit';
import { idempotencyClaim } from '../src/index.js';
import { ACCOUNT, timeOut, useNonceManager } from './nonce-manager-setup.js';
import { until, type Replica } from './replica.js';
import { StrictChain, encode, rejection } from './strict-chain.js';

const manager = useNonceManager();
const random = seededRandom(testSeed());

describe('a client', () => {
  it('that loses its pool is given everything again', async () => {
    const replica = await manager.start();
    await Promise.all(['a', 'b', 'c'].map((id) => replica.send(ACCOUNT, id)));
    manager.chain.dropPool();
    await manager.settled(replica);
    expect([...manager.minedIds()].sort()).toEqual(['a', 'b', 'c']);
  });

  it('that refuses gaps gets one transaction after the other', async () => {
    manager.chain = new StrictChain({ queues: false });
    const jitter = {
      submit: async (raw: Uint8Array) => {
        await new Promise((tick) => setTimeout(tick, random() * 10));
        return manager.chain.submit(raw);
      },
    };
    const replicas = [await manager.start(jitter), await manager.start(jitter)];
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => (replicas[index % 2] as Replica).send(ACCOUNT, `${index}`)),
    );
    manager.chain.mine();
    expect(manager.chain.mined(ACCOUNT)).toHaveLength(60);
    expect(new Set(manager.minedIds()).size).toBe(60);
  });

  it('that is started with a new chain is followed down after a while', async () => {
    const replica = await manager.start({}, { timing: { resetGraceMs: 300 } });
    await Promise.all(['a', 'b', 'c'].map((id) => replica.send(ACCOUNT, id)));
    await manager.settled(replica);
    manager.chain = new StrictChain();
    await new Promise((tick) => setTimeout(tick, 400));
    await replica.send(ACCOUNT, 'anew');
    manager.chain.mine();
    expect(manager.minedIds()).toEqual(['anew']);
  });

  it('that waits for a nonce which no send takes has the gap filled', async () => {
    const replica = await manager.start(
      {
        submit: async (raw) => {
          if (Buffer.from(raw).toString().includes('poor')) throw rejection('insufficient funds');
          return manager.chain.submit(raw);
        },
      },
      { fillsGaps: true },
    );
    let sign = () => {};
    const signing = new Promise<void>((done) => (sign = done));
    const poor = replica.send(ACCOUNT, 'poor', {
      sign: async (nonce) => {
        await signing;
        return encode({ account: ACCOUNT, nonce: nonce.toString(), id: 'poor' });
      },
    });
    await until(async () => (await manager.entries(replica)).length === 1, 'the lower nonce is reserved');
    await replica.send(ACCOUNT, 'rich');
    sign();
    await expect(poor).rejects.toThrow('insufficient funds');
    await manager.settled(replica);
    expect(manager.minedIds()).toEqual(['filler', 'rich']);
  });
});

describe('a refusal with an integer that no double holds', () => {
  const poor = () =>
    new ForwardedError({ code: -32000, message: 'insufficient funds', data: { balance: 10n ** 18n } });
  const claim = idempotencyClaim({ caller: '', account: ACCOUNT, key: 'one', request: Buffer.from('a') });

  it('is given to the caller as it came, and frees the nonce', async () => {
    const refusal = poor();
    const replica = await manager.start({ submit: () => Promise.reject(refusal) });
    await expect(replica.send(ACCOUNT, 'a')).rejects.toBe(refusal);
    expect(await manager.entries(replica)).toEqual([{ nonce: '0', state: 'free' }]);
    await expect(replica.send(ACCOUNT, 'b', { nonce: 7n })).rejects.toBe(refusal);
    expect(await manager.entries(replica)).toEqual([{ nonce: '0', state: 'free' }]);
  });

  it('frees a nonce in doubt', async () => {
    let answer: Error = timeOut();
    const replica = await manager.start({ submit: () => Promise.reject(answer) });
    await expect(replica.send(ACCOUNT, 'a', { claim })).rejects.toThrow('timed out');
    expect(await manager.entries(replica)).toEqual([{ nonce: '0', state: 'doubtful' }]);
    answer = poor();
    await until(async () => (await manager.entries(replica))[0]?.state === 'free', 'the nonce is free');
    await expect(replica.send(ACCOUNT, 'a', { claim })).rejects.toMatchObject({ error: poor().error });
  });

  it('is given again to duplicates of an idempotency key', async () => {
    let submissions = 0;
    const submit = async () => {
      submissions += 1;
      throw poor();
    };
    const replica = await manager.start({ submit });
    for (const id of ['a', 'b'])
      await expect(replica.send(ACCOUNT, id, { claim })).rejects.toMatchObject({ error: poor().error });
    expect(submissions).toBe(1);
  });
});

describe('a transaction that cannot be looked after', () => {
  it('holds up no other one of its account', async () => {
    let isUnknown = true;
    const first = encode({ account: ACCOUNT, nonce: '0', id: 'a' }).hash;
    const replica = await manager.start({
      submit: async (raw) => {
        manager.chain.submit(raw);
        manager.chain.mine();
        throw timeOut();
      },
      knows: async (hash) => {
        if (isUnknown && hash === first) throw new Error('a fault');
        return manager.chain.knows(hash);
      },
    });
    for (const id of ['a', 'b']) await expect(replica.send(ACCOUNT, id)).rejects.toThrow('timed out');
    await until(async () => (await manager.entries(replica)).length === 1, 'the other one is settled');
    expect(await manager.entries(replica)).toEqual([{ nonce: '0', state: 'doubtful' }]);
    isUnknown = false;
    await manager.settled(replica);
    expect(manager.minedIds()).toEqual(['a', 'b']);
  });
});
