import { describe, expect, it, jest } from '@jest/globals';
import { RequestError, type Hash } from '@tetrad/types';
import { idempotencyClaim, type NonceSend, type SequenceClient } from '../src/index.js';
import { ACCOUNT, SHORT_LIVED, unsent, useNonceManager } from './nonce-manager-setup.js';
import { clientOf, until, type Replica, type ReplicaOptions } from './replica.js';
import { encode, rejection } from './strict-chain.js';

const manager = useNonceManager();

const claimOf = (key: string, request = 'transfer', caller = 'alice') =>
  idempotencyClaim({ caller, account: ACCOUNT, key, request: Buffer.from(request) });
const minedIds = () => {
  manager.chain.mine();
  return manager.minedIds();
};
/** A replica with its own timing. */
const startWith = (changes: Partial<SequenceClient>, timing: ReplicaOptions['timing'] = {}) =>
  manager.start(changes, { timing });

/** Holds the statement that gives a claim up, as a pool without a free connection does. */
function holdRelease({ database: { pool } }: Replica) {
  const query = pool.query.bind(pool) as (...statement: readonly unknown[]) => Promise<unknown>;
  let letGo = () => {};
  const held = new Promise<void>((go) => (letGo = go));
  let isDone = () => {};
  const release = { isHeld: false, letGo, done: new Promise<void>((done) => (isDone = done)) };
  const holding = async (...statement: readonly [{ readonly name?: string }]) => {
    if (statement[0].name !== 'release-idempotency-key') return query(...statement);
    release.isHeld = true;
    await held;
    return query(...statement).finally(isDone);
  };
  Object.assign(pool, { query: holding });
  return release;
}

describe('an idempotency key', () => {
  it('gives duplicates the first answer, at the same time and later, on every replica', async () => {
    const replicas = [await manager.start(), await manager.start()] as const;
    const send = (index: number) =>
      (replicas[index % 2] as Replica).send(ACCOUNT, `${index}`, { claim: claimOf('one') });
    const hashes = new Set(await Promise.all(Array.from({ length: 20 }, (_, index) => send(index))));
    hashes.add(await send(21));
    expect(hashes.size).toBe(1);
    expect(minedIds()).toHaveLength(1);
  });

  it('gives the client’s rejection again', async () => {
    let answers = 0;
    const replica = await manager.start({
      submit: async () => {
        answers += 1;
        throw rejection('insufficient funds', -32004);
      },
    });
    for (const id of ['a', 'b']) {
      await expect(replica.send(ACCOUNT, id, { claim: claimOf('poor') })).rejects.toMatchObject({
        error: { code: -32004, message: 'insufficient funds' },
      });
    }
    expect(answers).toBe(1);
  });

  it('is refused with another request, and belongs to caller and account', async () => {
    const replica = await manager.start();
    await replica.send(ACCOUNT, 'a', { claim: claimOf('one') });
    await expect(replica.send(ACCOUNT, 'b', { claim: claimOf('one', 'other') })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    await replica.send(ACCOUNT, 'c', { claim: claimOf('one', 'transfer', 'bob') });
    expect(minedIds()).toEqual(['a', 'c']);
    expect(() => claimOf('')).toThrow(RequestError);
    expect(() => claimOf('x'.repeat(256))).toThrow(RequestError);
  });

  it('becomes free when nothing was signed', async () => {
    const replica = await manager.start();
    const sign = () => Promise.reject(new Error('vault is sealed'));
    await expect(replica.send(ACCOUNT, 'a', { claim: claimOf('one'), sign })).rejects.toThrow('sealed');
    await replica.send(ACCOUNT, 'b', { claim: claimOf('one') });
    expect(minedIds()).toEqual(['b']);
  });

  it.each<[string, () => Partial<NonceSend>]>([
    ['before it signed', () => ({ sign: () => Promise.reject(new Error('vault is sealed')) })],
    [
      'without a connection',
      () => ({ client: { ...clientOf(manager.chain, ACCOUNT), submit: () => Promise.reject(unsent()) } }),
    ],
  ])('that failed %s is not taken from the duplicate that has it next', async (_case, failing) => {
    const replica = await manager.start();
    const release = holdRelease(replica);
    const first = replica.send(ACCOUNT, 'a', { claim: claimOf('one'), ...failing() });
    void first.catch(() => undefined);
    await until(() => release.isHeld, 'the first gives its claim up');
    const looks = jest.spyOn(replica.store.idempotency, 'claim');
    let hasBegun = false;
    const second = replica.send(ACCOUNT, 'b', {
      claim: claimOf('one'),
      sign: async (nonce) => {
        hasBegun = true;
        await release.done;
        return encode({ account: ACCOUNT, nonce: nonce.toString(), id: 'b' });
      },
    });
    await until(() => hasBegun || looks.mock.calls.length > 3, 'the duplicate has looked at the key');
    const waits = !hasBegun;
    release.letGo();
    await expect(first).rejects.toThrow();
    const hash = await second;
    expect(await replica.send(ACCOUNT, 'c', { claim: claimOf('one') })).toBe(hash);
    expect(minedIds()).toEqual(['b']);
    expect(waits).toBe(true);
  });

  it('is answered in the background after a time-out', async () => {
    const { replica, answer } = await manager.startUnanswered();
    const send = () => replica.send(ACCOUNT, 'slow', { claim: claimOf('one') });
    await expect(send()).rejects.toThrow('timed out');
    answer();
    const hash = await send();
    expect(minedIds()).toEqual(['slow']);
    expect(manager.chain.knows(hash)).toBe(true);
  });

  it('says that the first has no answer yet when that takes too long', async () => {
    const replica = await startWith(
      { submit: () => new Promise<Hash>(() => undefined) },
      { duplicateWaitMs: 100 },
    );
    void replica.send(ACCOUNT, 'a', { claim: claimOf('one') }).catch(() => undefined);
    await until(
      async () => (await replica.store.idempotency.claim(claimOf('one'))).status === 'in-flight',
      'claimed',
    );
    await expect(replica.send(ACCOUNT, 'b', { claim: claimOf('one') })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_IN_FLIGHT',
    });
  });

  it.each([
    ['before it signed', { sign: () => new Promise<never>(() => undefined) }, 'reserved'],
    ['after it signed', {}, 'signed'],
  ])('of a replica that died %s is served by another, once', async (_case, changes, state) => {
    const dying = await manager.start({ submit: () => new Promise<Hash>(() => undefined) }, SHORT_LIVED);
    void dying.send(ACCOUNT, 'send', { claim: claimOf('one'), ...changes });
    await until(async () => {
      const { rows } = await dying.database.pool.query<{ state: string }>('SELECT state FROM nonce_entry');
      return rows[0]?.state === state;
    }, `the nonce is ${state}`);
    await manager.crash(dying);
    const other = await manager.start();
    const hash = await other.send(ACCOUNT, 'send', { claim: claimOf('one') });
    expect(minedIds()).toEqual(['send']);
    expect(manager.chain.knows(hash)).toBe(true);
  });

  it('of a replica that died takes the nonce that was reserved for it, also before a maintenance pass', async () => {
    const dying = await manager.start({}, SHORT_LIVED);
    const sign = () => new Promise<never>(() => undefined);
    void dying.send(ACCOUNT, 'send', { claim: claimOf('one'), sign });
    await until(async () => (await manager.entries(dying))[0]?.state === 'reserved', 'the nonce is reserved');
    await manager.crash(dying);
    const other = await startWith({}, { passMs: 3_600_000 });
    await other.send(ACCOUNT, 'send', { claim: claimOf('one') });
    expect(minedIds()).toEqual(['send']);
  });

  it('is forgotten after its time', async () => {
    const replica = await startWith({}, { idempotencyTtlMs: 200 });
    await replica.send(ACCOUNT, 'a', { claim: claimOf('one') });
    await until(async () => {
      const { rowCount } = await replica.database.pool.query('SELECT FROM idempotency_key');
      manager.chain.mine();
      return rowCount === 0;
    }, 'the key is forgotten');
    await replica.send(ACCOUNT, 'b', { claim: claimOf('one') });
    expect(minedIds()).toEqual(['a', 'b']);
  });
});
