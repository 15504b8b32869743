import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { FairTurns } from '@tetrad/rpc';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { silentLogger } from '@tetrad/types';
import { Enclave } from '../src/enclave/enclave.js';
import { KeyRing } from '../src/keys/key-ring.js';
import { acceptPush, type TakenPush } from '../src/manager/accept-push.js';
import { RequestTurns } from '../src/manager/request-turns.js';
import { PrivacyFlag, payloadHash, type EncodedPayload } from '../src/payload/encoded-payload.js';
import { Recovery, type RecoveryParts } from '../src/recovery/recovery.js';
import { openManagerStore, type ManagerStore } from '../src/store/open-manager-store.js';
import { recordedPairs } from './recorded.js';

/** Bytes of a payload that is stored, without what surrounds its ciphertext. */
const LARGE = 200_000;
/** Room for four such payloads in a request, for one in a page, and for two in what all senders read at a time. */
const BOUNDS = { bytes: 900_000, pageBytes: 250_000 };
const MAX_READ_BYTES = 450_000;

const sender = new Enclave(new KeyRing(recordedPairs('c1')));
const enclave = new Enclave(new KeyRing(recordedPairs('b1')));

let testDatabase: TestDatabase;
let database: Database;
let stored: ManagerStore;
let turns: RequestTurns;
/** Of six payloads that are stored. */
const hashes: Uint8Array[] = [];
/** Statements since the test began, with the bytes of payloads that each of them read. */
let statements: { readonly name: string; readonly bytes: number }[] = [];
beforeAll(async () => {
  testDatabase = await createTestDatabase('transaction-manager');
  database = await connectDatabase({ url: testDatabase.url });
  watchStatements();
  stored = openManagerStore(database);
  turns = new RequestTurns(new FairTurns(), MAX_READ_BYTES);
  for (let count = 0; count < 6; count += 1)
    hashes.push((await push('a stranger', makePayload(randomBytes(LARGE)))).hash);
});
beforeEach(() => {
  statements = [];
});
afterAll(async () => {
  await stored.close();
  await database.close();
  await testDatabase.drop();
});

function watchStatements(): void {
  const query = database.pool.query.bind(database.pool) as (...given: unknown[]) => Promise<unknown>;
  database.pool.query = (async (...given: unknown[]) => {
    const answer = (await query(...given)) as { rows?: { encoded?: Uint8Array }[] };
    const { name = '' } = given[0] as { name?: string };
    const bytes = (answer.rows ?? []).reduce((sum, { encoded }) => sum + (encoded?.length ?? 0), 0);
    statements.push({ name, bytes });
    return answer;
  }) as typeof database.pool.query;
}

/** A payload for us about the contracts of those that have the hashes. */
function makePayload(bytes: Uint8Array, about: readonly Uint8Array[] = []): EncodedPayload {
  const sealed = sender.seal(sender.ring.first, bytes);
  return {
    ...sender.box(sealed, [enclave.ring.first]),
    sender: sealed.sender,
    cipherText: sealed.cipherText,
    cipherTextNonce: sealed.nonce,
    privacyFlag: PrivacyFlag.PartyProtection,
    affected: about.map((hash) => ({ hash, securityHash: Buffer.alloc(64) })),
    execHash: new Uint8Array(),
    mandatoryRecipients: [],
    privacyGroupId: undefined,
  };
}

function push(from: string, payload: EncodedPayload): Promise<TakenPush> {
  const parts = { enclave, store: stored.payloads, enhanced: true, bounds: BOUNDS };
  return acceptPush(payload, { ...parts, turn: turns.of(from) });
}

const small = (about: readonly Uint8Array[]) => makePayload(Buffer.from('small'), about);
const bytesRead = () => statements.map(({ bytes }) => bytes).filter((bytes) => bytes > 0);

it('a push that names too much is refused before any of that is read', async () => {
  for (const from of ['one', 'other'])
    await expect(push(from, small(hashes))).rejects.toMatchObject({
      kind: 'invalid',
      message: 'the affected payloads exceed 900000 bytes in total',
    });
  expect(bytesRead()).toEqual([]);
});

it('pushes of several senders read a bounded part of what they name at a time', async () => {
  const about = hashes.slice(0, 4);
  // Each begins with another one, so that there are three to read at first.
  const taken = await Promise.all(
    ['one', 'other', 'third'].map((from, at) =>
      push(from, small([...about.slice(at), ...about.slice(0, at)])),
    ),
  );
  expect(taken.map(({ dropped }) => dropped)).toEqual(Array.from({ length: 3 }, () => [0, 1, 2, 3]));
  const read = bytesRead();
  expect(read.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThanOrEqual(about.length * LARGE);
  expect(Math.max(...read)).toBeLessThanOrEqual(MAX_READ_BYTES);
});

it('a push that names one payload many times has it read once', async () => {
  const about = Array.from({ length: 500 }, () => hashes[0]!);
  expect((await push('one', small(about))).dropped).toHaveLength(500);
  expect(bytesRead()).toHaveLength(1);
});

it('a push about nothing reads nothing', async () => {
  await push('one', small([]));
  expect(statements.map(({ name }) => name)).toEqual(['insert-payloads']);
});

it('a recovery finds out what is missing without reading what is there', async () => {
  const missing = randomBytes(64);
  const staged: Uint8Array[] = [];
  const recovery = new Recovery({
    enclave,
    store: stored.payloads,
    turn: turns.of('asked'),
    logger: silentLogger,
    staged: { add: async ({ hash }: { hash: Uint8Array }) => void staged.push(hash) },
  } as unknown as RecoveryParts);
  const payload = small([...hashes, missing]);
  await recovery.acceptBatch([payload]);
  expect(staged).toEqual([payloadHash(payload)]);
  expect(bytesRead()).toEqual([]);
});
