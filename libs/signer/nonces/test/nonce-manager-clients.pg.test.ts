import { describe, expect, it } from '@jest/globals';
import { seededRandom, testSeed } from '@tetrad/testkit';
import { ACCOUNT, useNonceManager } from './nonce-manager-setup.js';
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
