import { describe, expect, it } from '@jest/globals';
import { ACCOUNT, SHORT_LIVED, timeOut, useNonceManager } from './nonce-manager-setup.js';
import { until, type Replica } from './replica.js';
import { encode, rejection } from './strict-chain.js';

const manager = useNonceManager();

describe('nonces of one account', () => {
  it.each([1, 3])('follow each other for 1,000 sends at once, with %i replicas', async (count) => {
    const replicas = await Promise.all(Array.from({ length: count }, () => manager.start()));
    const hashes = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) =>
        (replicas[index % count] as Replica).send(ACCOUNT, `${index}`),
      ),
    );
    manager.chain.mine();
    expect(new Set(hashes).size).toBe(1_000);
    expect(manager.chain.mined(ACCOUNT)).toHaveLength(1_000);
    expect(new Set(manager.minedIds()).size).toBe(1_000);
    await manager.settled(replicas[0] as Replica);
  });

  it('begin where the client says', async () => {
    const replica = await manager.start();
    manager.chain.submit(encode({ account: ACCOUNT, nonce: '0', id: 'elsewhere' }).raw);
    await replica.send(ACCOUNT, 'first');
    manager.chain.mine();
    expect(manager.minedIds()).toEqual(['elsewhere', 'first']);
  });

  it('are given back when the client refuses, and go to the next send', async () => {
    let refuse = true;
    const replica = await manager.start({
      submit: async (raw) => {
        if (refuse) throw rejection('insufficient funds for gas * price + value');
        return manager.chain.submit(raw);
      },
    });
    await expect(replica.send(ACCOUNT, 'poor')).rejects.toThrow('insufficient funds');
    expect(await manager.entries(replica)).toEqual([{ nonce: '0', state: 'free' }]);
    refuse = false;
    await replica.send(ACCOUNT, 'rich');
    manager.chain.mine();
    expect(manager.minedIds()).toEqual(['rich']);
  });

  it('are returned when signing fails, and when the caller no longer waits', async () => {
    const replica = await manager.start();
    const sign = () => Promise.reject(new Error('vault is sealed'));
    await expect(replica.send(ACCOUNT, 'unsigned', { sign })).rejects.toThrow('vault is sealed');
    const gone = AbortSignal.abort();
    await expect(replica.send(ACCOUNT, 'late', { signal: gone })).rejects.toMatchObject({
      code: 'REQUEST_TIMEOUT',
    });
    await replica.send(ACCOUNT, 'next');
    manager.chain.mine();
    expect(manager.minedIds()).toEqual(['next']);
    expect(manager.chain.submissions).toBe(1);
  });

  it('do not leave before the audit entry is stored', async () => {
    const replica = await manager.start();
    const sign = (nonce: bigint) => ({
      ...encode({ account: ACCOUNT, nonce: nonce.toString(), id: 'unrecorded' }),
      recorded: Promise.reject(new Error('audit log is unavailable')),
    });
    await expect(replica.send(ACCOUNT, 'unrecorded', { sign })).rejects.toThrow('audit log is unavailable');
    expect(manager.chain.submissions).toBe(0);
  });

  it('do not leave through another replica when theirs dies before the audit entry is stored', async () => {
    const dying = await manager.start({}, SHORT_LIVED);
    const signed = new Promise<void>((done) => {
      const sign = (nonce: bigint) => {
        done();
        const recorded = new Promise<never>(() => undefined);
        return { ...encode({ account: ACCOUNT, nonce: nonce.toString(), id: 'unrecorded' }), recorded };
      };
      void dying.send(ACCOUNT, 'unrecorded', { sign });
    });
    await signed;
    // By then a statement that stores the bytes would have been executed.
    const other = await manager.start({}, SHORT_LIVED);
    expect(await manager.entries(other)).toEqual([{ nonce: '0', state: 'reserved' }]);
    await manager.crash(dying);
    await until(
      async () => (await manager.entries(other))[0]?.state !== 'reserved',
      'the nonce of the dead replica is taken over',
    );
    expect(await manager.entries(other)).toEqual([{ nonce: '0', state: 'free' }]);
    await other.send(ACCOUNT, 'next');
    manager.chain.mine();
    expect(manager.minedIds()).toEqual(['next']);
  });
});

describe('a nonce that was used elsewhere', () => {
  it('is noticed, and the send takes another (SP-47)', async () => {
    const counts = [0n, 1n];
    const replica = await manager.start({ pendingCount: async () => counts.shift() ?? 1n });
    manager.chain.submit(encode({ account: ACCOUNT, nonce: '0', id: 'elsewhere' }).raw);
    manager.chain.mine();
    await replica.send(ACCOUNT, 'ours');
    manager.chain.mine();
    expect(manager.minedIds()).toEqual(['elsewhere', 'ours']);
  });

  it.each(['Known transaction', 'Replacement transaction underpriced'])(
    'is noticed by the words %j (SP-48)',
    async (words) => {
      const answers = [words];
      const counts = [0n, 1n];
      const replica = await manager.start({
        pendingCount: async () => counts.shift() ?? 1n,
        submit: async (raw) => {
          const answer = answers.shift();
          if (answer !== undefined) throw rejection(answer);
          return encode(JSON.parse(Buffer.from(raw).toString())).hash;
        },
      });
      const { hash } = encode({ account: ACCOUNT, nonce: '1', id: 'ours' });
      expect(await replica.send(ACCOUNT, 'ours')).toBe(hash);
    },
  );

  it('is given up after eleven submissions (SP-49)', async () => {
    let submissions = 0;
    const replica = await manager.start({
      submit: async () => {
        submissions += 1;
        throw rejection('Replacement transaction underpriced');
      },
    });
    await expect(replica.send(ACCOUNT, 'ours')).rejects.toMatchObject({
      error: { code: -32603, message: 'Internal error' },
    });
    expect(submissions).toBe(11);
  });

  it('ends in the time-out when the client falls silent (SP-50)', async () => {
    let left = 3;
    const replica = await manager.start({
      submit: async () => {
        if (left-- > 0) throw rejection('Replacement transaction underpriced');
        throw timeOut();
      },
    });
    await expect(replica.send(ACCOUNT, 'ours')).rejects.toThrow('Connection to downstream node timed out');
  });
});
