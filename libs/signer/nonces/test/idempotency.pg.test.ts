import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { RefusalError, type Hash } from '@tetrad/types';
import { idempotencyClaim, type LaneClient } from '../src/index.js';
import { accountOf, clientOf, startReplica, until, type Replica } from './replica.js';
import { StrictChain, refusal } from './strict-chain.js';

let testDatabase: TestDatabase;
let chain: StrictChain;
let running: Replica[];
const account = accountOf(0);

const claimOf = (key: string, request = 'transfer', caller = 'alice') =>
  idempotencyClaim({ caller, account, key, request: Buffer.from(request) });
const minedIds = () => {
  chain.mine();
  return chain.mined(account).map(({ transaction }) => transaction.id);
};

async function start(changes: Partial<LaneClient> = {}, timing = {}): Promise<Replica> {
  const replica = await startReplica({
    url: testDatabase.url,
    clientFor: (of) => ({ ...clientOf(chain, of), ...changes }),
    timing,
  });
  running.push(replica);
  return replica;
}

async function crash(replica: Replica): Promise<void> {
  running = running.filter((one) => one !== replica);
  await replica.crash();
}

function timeOut(): RefusalError {
  const text = 'Connection to downstream node timed out';
  return new RefusalError('CONNECTION_TO_DOWNSTREAM_NODE_TIMED_OUT', text);
}

beforeEach(async () => {
  testDatabase = await createTestDatabase('signer');
  chain = new StrictChain();
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((replica) => replica.stop()));
  await testDatabase.drop();
});

describe('an idempotency key', () => {
  it('gives duplicates the first answer, at the same time and later, on every replica', async () => {
    const replicas = [await start(), await start()] as const;
    const send = (index: number) =>
      (replicas[index % 2] as Replica).send(account, `${index}`, { claim: claimOf('one') });
    const hashes = new Set(await Promise.all(Array.from({ length: 20 }, (_, index) => send(index))));
    hashes.add(await send(21));
    expect(hashes.size).toBe(1);
    expect(minedIds()).toHaveLength(1);
  });

  it('gives the client’s refusal again', async () => {
    let answers = 0;
    const replica = await start({
      submit: async () => {
        answers += 1;
        throw refusal('insufficient funds', -32004);
      },
    });
    for (const id of ['a', 'b']) {
      await expect(replica.send(account, id, { claim: claimOf('poor') })).rejects.toMatchObject({
        error: { code: -32004, message: 'insufficient funds' },
      });
    }
    expect(answers).toBe(1);
  });

  it('is refused with another request, and belongs to caller and account', async () => {
    const replica = await start();
    await replica.send(account, 'a', { claim: claimOf('one') });
    await expect(replica.send(account, 'b', { claim: claimOf('one', 'other') })).rejects.toMatchObject({
      reason: 'IDEMPOTENCY_KEY_REUSED',
    });
    await replica.send(account, 'c', { claim: claimOf('one', 'transfer', 'bob') });
    expect(minedIds()).toEqual(['a', 'c']);
    expect(() => claimOf('')).toThrow(RefusalError);
    expect(() => claimOf('x'.repeat(256))).toThrow(RefusalError);
  });

  it('comes free when nothing was signed', async () => {
    const replica = await start();
    const sign = () => Promise.reject(new Error('vault is sealed'));
    await expect(replica.send(account, 'a', { claim: claimOf('one'), sign })).rejects.toThrow('sealed');
    await replica.send(account, 'b', { claim: claimOf('one') });
    expect(minedIds()).toEqual(['b']);
  });

  it('is answered in the background after a time-out', async () => {
    let silent = true;
    const replica = await start({
      submit: async (raw) => {
        const hash = chain.submit(raw);
        if (silent) throw timeOut();
        return hash;
      },
    });
    const send = () => replica.send(account, 'slow', { claim: claimOf('one') });
    await expect(send()).rejects.toThrow('timed out');
    silent = false;
    const hash = await send();
    expect(minedIds()).toEqual(['slow']);
    expect(chain.knows(hash)).toBe(true);
  });

  it('says that the first has no answer yet when that takes too long', async () => {
    const replica = await start(
      { submit: () => new Promise<Hash>(() => undefined) },
      { duplicateWaitMs: 100 },
    );
    void replica.send(account, 'a', { claim: claimOf('one') }).catch(() => undefined);
    await until(
      async () => (await replica.store.idempotency.claim(claimOf('one'))).status === 'in-flight',
      'claimed',
    );
    await expect(replica.send(account, 'b', { claim: claimOf('one') })).rejects.toMatchObject({
      reason: 'IDEMPOTENCY_KEY_IN_FLIGHT',
    });
  });

  it.each([
    ['before it signed', { sign: () => new Promise<never>(() => undefined) }, 'reserved'],
    ['after it signed', {}, 'signed'],
  ])('of a replica that died %s is served by another, once', async (_case, changes, state) => {
    const dying = await start({ submit: () => new Promise<Hash>(() => undefined) });
    void dying.send(account, 'send', { claim: claimOf('one'), ...changes });
    await until(async () => {
      const { rows } = await dying.database.pool.query<{ state: string }>('SELECT state FROM nonce_entry');
      return rows[0]?.state === state;
    }, `the nonce is ${state}`);
    await crash(dying);
    const other = await start();
    const hash = await other.send(account, 'send', { claim: claimOf('one') });
    expect(minedIds()).toEqual(['send']);
    expect(chain.knows(hash)).toBe(true);
  });

  it('is forgotten after its time', async () => {
    const replica = await start({}, { idempotencyTtlMs: 200 });
    await replica.send(account, 'a', { claim: claimOf('one') });
    await until(async () => {
      const { rowCount } = await replica.database.pool.query('SELECT FROM idempotency_key');
      chain.mine();
      return rowCount === 0;
    }, 'the key is forgotten');
    await replica.send(account, 'b', { claim: claimOf('one') });
    expect(minedIds()).toEqual(['a', 'b']);
  });
});
