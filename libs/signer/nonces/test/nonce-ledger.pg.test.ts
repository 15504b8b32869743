import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { RefusalError, type Hash } from '@tetrad/types';
import type { LaneClient } from '../src/index.js';
import { accountOf, clientOf, startReplica, until, type Replica, type ReplicaOptions } from './replica.js';
import { StrictChain, encode, refusal } from './strict-chain.js';

let testDatabase: TestDatabase;
let chain: StrictChain;
let running: Replica[];
const account = accountOf(0);

/** A replica in front of the chain; the changes are to its client. */
async function start(
  changes: Partial<LaneClient> = {},
  options: Partial<ReplicaOptions> = {},
): Promise<Replica> {
  const replica = await startReplica({
    url: testDatabase.url,
    clientFor: (of) => ({ ...clientOf(chain, of), ...changes }),
    ...options,
  });
  running.push(replica);
  return replica;
}

async function crash(replica: Replica): Promise<void> {
  running = running.filter((one) => one !== replica);
  await replica.crash();
}

const timeOut = () =>
  new RefusalError('CONNECTION_TO_DOWNSTREAM_NODE_TIMED_OUT', 'Connection to downstream node timed out');
const minedIds = () => chain.mined(account).map(({ transaction }) => transaction.id);
const entries = async (replica: Replica) =>
  (
    await replica.database.pool.query<{ nonce: string; state: string }>(
      'SELECT nonce, state FROM nonce_entry ORDER BY nonce',
    )
  ).rows;
const settled = (replica: Replica) =>
  until(async () => {
    chain.mine();
    return (await entries(replica)).length === 0;
  }, 'every nonce is settled');

beforeEach(async () => {
  testDatabase = await createTestDatabase('signer');
  chain = new StrictChain();
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((replica) => replica.stop()));
  await testDatabase.drop();
});

describe('nonces of one account', () => {
  it.each([1, 3])('follow each other for 1,000 sends at once, with %i replicas', async (count) => {
    const replicas = await Promise.all(Array.from({ length: count }, () => start()));
    const hashes = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) =>
        (replicas[index % count] as Replica).send(account, `${index}`),
      ),
    );
    chain.mine();
    expect(new Set(hashes).size).toBe(1_000);
    expect(chain.mined(account)).toHaveLength(1_000);
    expect(new Set(minedIds()).size).toBe(1_000);
    await settled(replicas[0] as Replica);
  });

  it('begin where the client says', async () => {
    const replica = await start();
    chain.submit(encode({ account, nonce: '0', id: 'elsewhere' }).raw);
    await replica.send(account, 'first');
    chain.mine();
    expect(minedIds()).toEqual(['elsewhere', 'first']);
  });

  it('are given back when the client refuses, and go to the next send', async () => {
    let refuse = true;
    const replica = await start({
      submit: async (raw) => {
        if (refuse) throw refusal('insufficient funds for gas * price + value');
        return chain.submit(raw);
      },
    });
    await expect(replica.send(account, 'poor')).rejects.toThrow('insufficient funds');
    expect(await entries(replica)).toEqual([{ nonce: '0', state: 'free' }]);
    refuse = false;
    await replica.send(account, 'rich');
    chain.mine();
    expect(minedIds()).toEqual(['rich']);
  });

  it('are given back when signing fails, and when nobody waits any more', async () => {
    const replica = await start();
    const sign = () => Promise.reject(new Error('vault is sealed'));
    await expect(replica.send(account, 'unsigned', { sign })).rejects.toThrow('vault is sealed');
    const gone = AbortSignal.abort();
    await expect(replica.send(account, 'late', { signal: gone })).rejects.toMatchObject({
      reason: 'REQUEST_TIMEOUT',
    });
    await replica.send(account, 'next');
    chain.mine();
    expect(minedIds()).toEqual(['next']);
    expect(chain.submissions).toBe(1);
  });

  it('do not leave before the audit entry is stored', async () => {
    const replica = await start();
    const sign = (nonce: bigint) => ({
      ...encode({ account, nonce: nonce.toString(), id: 'unrecorded' }),
      recorded: Promise.reject(new Error('audit log is away')),
    });
    await expect(replica.send(account, 'unrecorded', { sign })).rejects.toThrow('audit log is away');
    expect(chain.submissions).toBe(0);
  });
});

describe('a nonce that was used elsewhere', () => {
  it('is noticed, and the send takes another (SP-47)', async () => {
    const counts = [0n, 1n];
    const replica = await start({ pendingCount: async () => counts.shift() ?? 1n });
    chain.submit(encode({ account, nonce: '0', id: 'elsewhere' }).raw);
    chain.mine();
    await replica.send(account, 'ours');
    chain.mine();
    expect(minedIds()).toEqual(['elsewhere', 'ours']);
  });

  it.each(['Known transaction', 'Replacement transaction underpriced'])(
    'is noticed by the words %j (SP-48)',
    async (words) => {
      const answers = [words];
      const counts = [0n, 1n];
      const replica = await start({
        pendingCount: async () => counts.shift() ?? 1n,
        submit: async (raw) => {
          const answer = answers.shift();
          if (answer !== undefined) throw refusal(answer);
          return encode(JSON.parse(Buffer.from(raw).toString())).hash;
        },
      });
      const { hash } = encode({ account, nonce: '1', id: 'ours' });
      expect(await replica.send(account, 'ours')).toBe(hash);
    },
  );

  it('is given up after eleven submissions (SP-49)', async () => {
    let submissions = 0;
    const replica = await start({
      submit: async () => {
        submissions += 1;
        throw refusal('Replacement transaction underpriced');
      },
    });
    await expect(replica.send(account, 'ours')).rejects.toMatchObject({
      error: { code: -32603, message: 'Internal error' },
    });
    expect(submissions).toBe(11);
  });

  it('ends in the time-out when the client falls silent (SP-50)', async () => {
    let left = 3;
    const replica = await start({
      submit: async () => {
        if (left-- > 0) throw refusal('Replacement transaction underpriced');
        throw timeOut();
      },
    });
    await expect(replica.send(account, 'ours')).rejects.toThrow('Connection to downstream node timed out');
  });
});

describe('a submission without an answer', () => {
  it('is made again with the same bytes until the client has them (SP-55)', async () => {
    let silent = true;
    const seen: string[] = [];
    const replica = await start({
      submit: async (raw) => {
        seen.push(Buffer.from(raw).toString());
        if (silent) throw timeOut();
        return chain.submit(raw);
      },
    });
    await expect(replica.send(account, 'slow')).rejects.toThrow('Connection to downstream node timed out');
    silent = false;
    await replica.send(account, 'next');
    await settled(replica);
    expect(minedIds()).toEqual(['slow', 'next']);
    expect(new Set(seen).size).toBe(2);
  });

  it('that arrived all the same is known, and not sent twice', async () => {
    let silent = true;
    const replica = await start({
      submit: async (raw) => {
        const hash = chain.submit(raw);
        if (silent) throw timeOut();
        return hash;
      },
    });
    await expect(replica.send(account, 'slow')).rejects.toThrow('timed out');
    silent = false;
    await settled(replica);
    expect(minedIds()).toEqual(['slow']);
  });

  it('gives its nonce back when no connection was made', async () => {
    const replica = await start({
      submit: async () => {
        const text = 'Failed to connect to downstream node';
        throw new RefusalError('FAILED_TO_CONNECT_TO_DOWNSTREAM_NODE', text, { sent: false });
      },
    });
    await expect(replica.send(account, 'never')).rejects.toThrow('Failed to connect');
    expect(await entries(replica)).toEqual([{ nonce: '0', state: 'free' }]);
  });

  it('is a success when the client has the bytes already', async () => {
    const replica = await start({
      submit: async (raw) => {
        chain.submit(raw);
        throw refusal('already known');
      },
    });
    expect(await replica.send(account, 'known')).toBe(encode({ account, nonce: '0', id: 'known' }).hash);
  });
});

describe('a replica that dies', () => {
  it('between reserving and signing leaves a nonce that another one uses', async () => {
    const dying = await start();
    void dying.send(account, 'unsigned', { sign: () => new Promise(() => undefined) });
    await until(async () => (await entries(dying))[0]?.state === 'reserved', 'the nonce is reserved');
    const other = await start();
    await other.send(account, 'above');
    await crash(dying);
    await until(async () => (await entries(other))[0]?.state === 'free', 'the nonce is free');
    await other.send(account, 'below');
    await settled(other);
    expect(minedIds()).toEqual(['below', 'above']);
  });

  it('between signing and submitting is followed by one that submits the same bytes', async () => {
    const dying = await start({ submit: () => new Promise<Hash>(() => undefined) });
    void dying.send(account, 'signed');
    await until(async () => (await entries(dying))[0]?.state === 'signed', 'the bytes are stored');
    await crash(dying);
    const other = await start();
    await settled(other);
    expect(minedIds()).toEqual(['signed']);
  });

  it('and stops in order is followed at once', async () => {
    const stopping = await start({ submit: () => new Promise<Hash>(() => undefined) });
    void stopping.send(account, 'signed').catch(() => undefined);
    await until(async () => (await entries(stopping))[0]?.state === 'signed', 'the bytes are stored');
    await stopping.ledger.stop();
    const other = await start({}, { timing: { replicaTtlMs: 3_600_000 } });
    await settled(other);
    expect(minedIds()).toEqual(['signed']);
  });
});

describe('a client', () => {
  it('that loses its pool is given everything again', async () => {
    const replica = await start();
    await Promise.all(['a', 'b', 'c'].map((id) => replica.send(account, id)));
    chain.dropPool();
    await settled(replica);
    expect(minedIds().sort()).toEqual(['a', 'b', 'c']);
  });

  it('that refuses gaps gets one transaction after the other', async () => {
    chain = new StrictChain({ queues: false });
    const jitter = {
      submit: async (raw: Uint8Array) => {
        await new Promise((tick) => setTimeout(tick, Math.random() * 10));
        return chain.submit(raw);
      },
    };
    const replicas = [await start(jitter), await start(jitter)];
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => (replicas[index % 2] as Replica).send(account, `${index}`)),
    );
    chain.mine();
    expect(chain.mined(account)).toHaveLength(60);
    expect(new Set(minedIds()).size).toBe(60);
  });

  it('that is started with a new chain is followed down after a while', async () => {
    const replica = await start({}, { timing: { resetGraceMs: 300 } });
    await Promise.all(['a', 'b', 'c'].map((id) => replica.send(account, id)));
    await settled(replica);
    chain = new StrictChain();
    await new Promise((tick) => setTimeout(tick, 400));
    await replica.send(account, 'anew');
    chain.mine();
    expect(minedIds()).toEqual(['anew']);
  });

  it('that waits for a nonce which no send takes has the gap filled', async () => {
    const replica = await start(
      {
        submit: async (raw) => {
          if (Buffer.from(raw).toString().includes('poor')) throw refusal('insufficient funds');
          return chain.submit(raw);
        },
      },
      { fillsGaps: true },
    );
    let sign = () => {};
    const signing = new Promise<void>((done) => (sign = done));
    const poor = replica.send(account, 'poor', {
      sign: async (nonce) => {
        await signing;
        return encode({ account, nonce: nonce.toString(), id: 'poor' });
      },
    });
    await until(async () => (await entries(replica)).length === 1, 'the lower nonce is reserved');
    await replica.send(account, 'rich');
    sign();
    await expect(poor).rejects.toThrow('insufficient funds');
    await settled(replica);
    expect(minedIds()).toEqual(['filler', 'rich']);
  });
});

describe('a nonce that the caller named', () => {
  it('is submitted once, and the answer is untouched', async () => {
    const replica = await start();
    for (const words of ['Nonce too low', 'Known transaction', 'Replacement transaction underpriced']) {
      const failing: LaneClient = {
        ...clientOf(chain, account),
        submit: () => Promise.reject(refusal(words)),
      };
      await expect(replica.send(account, words, { nonce: 7n, client: failing })).rejects.toThrow(words);
    }
    const huge = 0xe04d296d2460cfb8472af2c5fd05b5a214109c25688d3704aed5484f9a7792f2n;
    await replica.send(account, 'far', { nonce: huge });
    await replica.send(account, 'auto');
    chain.mine();
    expect(minedIds()).toEqual(['auto']);
  });

  it('is not handed out to others', async () => {
    const replica = await start();
    await replica.send(account, 'a');
    await replica.send(account, 'c', { nonce: 2n });
    const sends = ['b', 'd'].map((id) => replica.send(account, id));
    await Promise.all(sends);
    await settled(replica);
    expect(minedIds()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('replaces at a higher gas price, and the ledger points at the newest', async () => {
    const replica = await start();
    await replica.send(account, 'old');
    const sign = (nonce: bigint) => encode({ account, nonce: nonce.toString(), id: 'new', gasPrice: 2 });
    const hash = await replica.send(account, 'new', { nonce: 0n, sign });
    const lane = await replica.store.lanes.open({ chainId: 2018n, account });
    expect(await replica.store.nonces.find({ laneId: lane.id, nonce: 0n })).toMatchObject({ hash });
    await settled(replica);
    expect(minedIds()).toEqual(['new']);
  });

  it('that replaces nothing leaves the ledger as it was', async () => {
    const replica = await start();
    const hash = await replica.send(account, 'old');
    await expect(replica.send(account, 'new', { nonce: 0n })).rejects.toThrow('underpriced');
    const lane = await replica.store.lanes.open({ chainId: 2018n, account });
    expect(await replica.store.nonces.find({ laneId: lane.id, nonce: 0n })).toMatchObject({
      hash,
      state: 'accepted',
      given: false,
    });
  });
});
