import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { provingLease } from '@tetrad/rollup-batcher';
import { takeLease } from '@tetrad/rollup-store';
import { createTokenKey, issueToken, tokenPublicKey } from '@tetrad/service/issue-token';
import { AccountHolder } from '../../account-holder.js';
import { TOKEN, compose, startOperator, type RunningOperator } from '../../running-operator.js';

const METHOD = 'rollup_getBatchQueue';
const HASH = `0x${'ab'.repeat(32)}` as const;

interface Queue {
  readonly pendingOperations: number;
  readonly counts: readonly { readonly state: string }[];
  readonly batches: readonly { readonly batchHeight: number; readonly openedAt: number }[];
  readonly hasMoreResults: boolean;
}

let folder: string;
let operator: RunningOperator;
let guarded: Awaited<ReturnType<typeof compose>>;
const tokenKey = createTokenKey();
const alice = new AccountHolder(1, 171);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-queue-'));
  await writeFile(join(folder, 'key.pub'), tokenPublicKey(tokenKey));
  operator = await startOperator();
  guarded = await compose(operator.databaseUrl, ['--auth-jwt-key-file', join(folder, 'key.pub')]);
});
afterAll(async () => {
  await guarded.stop();
  await operator.stop();
  await rm(folder, { recursive: true, force: true });
});

const queue = (...params: readonly unknown[]) => operator.result<Queue>(METHOD, params);

async function withToken(claims: { permissions: readonly string[]; accounts?: readonly number[] }) {
  const token = await issueToken(tokenKey, { caller: 'app', lifetimeSeconds: 600, ...claims });
  const response = await fetch(guarded.url, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: METHOD, params: [] }),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  });
  return (await response.json()) as { result?: Queue; error?: { data: { reason: string } } };
}

describe(METHOD, () => {
  it('is empty before anything happens', async () => {
    const nothing = { pendingOperations: 0, counts: [], batches: [], hasMoreResults: false };
    expect(await queue()).toEqual(nothing);
  });

  it('says how far batches are: by whom one is proved and since when, and what was sent', async () => {
    await operator.result('pazkp_createAccount', alice.registration());
    expect((await queue()).pendingOperations).toBe(1);
    for (let more = 0; more < 7; more += 1) await operator.deposit(1, TOKEN, 5n);
    await operator.execute();
    const { store, database } = operator;
    await store.changeBatch({ height: 1, from: 'sealed' }, { state: 'proving' });
    await store.changeBatch({ height: 1, from: 'proving' }, { state: 'proven' });
    await store.changeBatch(
      { height: 1, from: 'proven' },
      { state: 'submitted', transactionHash: HASH as never, failure: 'InvalidProof' },
    );
    await store.addSubmission({
      transactionHash: HASH as never,
      batchHeight: 1,
      sender: `0x${'1'.repeat(40)}` as never,
      nonce: 0,
      maxFee: 1n,
      maxPriorityFee: 1n,
      raw: new Uint8Array(1),
    });
    await store.changeBatch({ height: 2, from: 'sealed' }, { state: 'proving' });
    const claim = { name: provingLease(2), holder: 'host-a/1' };
    await takeLease(database.pool, claim, 600_000);
    const time = expect.any(Number);
    const common = { operations: 2, size: 2, openedAt: time, sealedAt: time };
    const idle = { prover: null, transactionHash: null, submittedAt: null, failure: null };
    const found = await queue();
    const prover = { name: 'host-a/1', since: time };
    expect(found).toEqual({
      pendingOperations: 0,
      counts: [
        ...['proving', 'sealed', 'submitted'].map((state) => ({
          state,
          size: 2,
          oldestSeconds: time,
          count: state === 'sealed' ? 2 : 1,
        })),
      ],
      batches: [
        {
          ...common,
          ...idle,
          batchHeight: 1,
          state: 'submitted',
          transactionHash: HASH,
          submittedAt: time,
          failure: 'InvalidProof',
        },
        { ...common, ...idle, batchHeight: 2, state: 'proving', prover },
        { ...common, ...idle, batchHeight: 3, state: 'sealed' },
        { ...common, ...idle, batchHeight: 4, state: 'sealed' },
      ],
      hasMoreResults: false,
    });
    // A heartbeat of the same prover changes nothing; another prover begins anew.
    await takeLease(database.pool, claim, -1);
    expect((await queue()).batches[1]).toMatchObject({ prover: null });
    await takeLease(database.pool, { ...claim, holder: 'host-b/1' }, 600_000);
    const [, again] = (await queue()).batches as unknown as { prover: { name: string; since: number } }[];
    expect(again?.prover.name).toBe('host-b/1');
    const [, before] = found.batches as unknown as { prover: { since: number } }[];
    expect(again?.prover.since).toBeGreaterThanOrEqual(before?.prover.since ?? Infinity);
  });

  it('lists the lowest ones, as many as are asked for', async () => {
    const { batches, hasMoreResults } = await queue(3);
    expect(batches.map(({ batchHeight }) => batchHeight)).toEqual([1, 2, 3]);
    expect(hasMoreResults).toBe(true);
    for (const limit of [0, 101, 1.5, 'x'])
      expect((await operator.call(METHOD, [limit])).error).toMatchObject({ code: -32602 });
  });

  it('is for tokens with its permission that are bound to no account', async () => {
    expect((await withToken({ permissions: [METHOD] })).result?.batches).toHaveLength(4);
    expect((await withToken({ permissions: ['pazkp_*'] })).error?.data.reason).toBe('FORBIDDEN');
    expect((await withToken({ permissions: ['*'], accounts: [1] })).error?.data.reason).toBe('FORBIDDEN');
  });

  it('leaves out what is final', async () => {
    await operator.store.changeBatch({ height: 1, from: 'submitted' }, { state: 'final' });
    expect((await queue()).batches.map(({ batchHeight }) => batchHeight)).toEqual([2, 3, 4]);
  });
});
