import type { Database } from '@tetrad/db';
import { openSignerStore, type SignerStore } from '@tetrad/signer-store';
import { ZERO_ADDRESS, hashFromBytes } from '@tetrad/types';

const RAW = Uint8Array.of(1);
const HASH = hashFromBytes(new Uint8Array(32).fill(1));
const DIGEST = new Uint8Array(32).fill(2);

/** Has a store run each of its statements once; what becomes of them does not matter. */
export async function useEveryStatement(database: Database): Promise<void> {
  const store = openSignerStore(database);
  const { id: sequenceId } = await store.sequences.open({ chainId: 9n, account: ZERO_ADDRESS });
  await useNonces(store, sequenceId);
  await store.countNonces();
  await store.listSends({ limit: 1 });
  await store.sequences.claim(10);
  await store.watch.takeOver(sequenceId);
  await store.watch.settle(sequenceId, 1n);
  await useGaps(store, sequenceId);
  await useIdempotency(store);
  await store.replicas.stayAlive(1);
  await store.replicas.leave();
  await store.replicas.pruneDead();
  await store.rates.admit({ bucket: DIGEST, limit: 1 });
  await store.rates.prune();
  await useAudit(store, database);
  await store.listDecisions({ limit: 1 });
}

/** One narrow gap and a wide one. */
async function useGaps({ nonces, positions, watch }: SignerStore, sequenceId: number): Promise<void> {
  for (const count of [90n, 900n]) {
    const [nonce = 0n] = await nonces.reserve({ sequenceId, wanted: 1, clientCount: count });
    await nonces.storeSigned({ sequenceId, nonce, raw: RAW, hash: HASH });
    const kind = { from: ['signed'] as const, to: 'accepted' as const };
    await nonces.move({ kind, sequenceId, nonce, hash: HASH });
  }
  await watch.openGap(sequenceId, 80n);
  await watch.leadBack(sequenceId, 100n);
  await watch.settle(sequenceId, 95n);
  await positions.read(sequenceId, 2n);
  await positions.recordGenesis(sequenceId, HASH);
  await positions.lowerFloor(sequenceId, 1n);
  await positions.switchChain(sequenceId, { genesis: HASH, count: 1n });
}

async function useNonces({ nonces }: SignerStore, sequenceId: number): Promise<void> {
  const signed = (nonce: bigint) => ({ sequenceId, nonce, raw: RAW, hash: HASH });
  await nonces.reserve({ sequenceId, wanted: 6 });
  await nonces.reserve({ sequenceId, wanted: 2, clientCount: 1n });
  await nonces.storeSigned(signed(0n));
  await nonces.storeSigned({ ...signed(1n), claim: { digest: DIGEST, version: '1' } });
  for (const [index, to] of (['accepted', 'doubtful', 'free', 'gone'] as const).entries()) {
    const kind = { from: ['reserved'] as const, to };
    await nonces.move({ kind, sequenceId, nonce: 0n, hash: HASH });
    const answer = { idempotency: DIGEST, json: to === 'accepted' ? '{}' : null };
    await nonces.move({ kind, sequenceId, nonce: BigInt(1 + index), answer });
  }
  await nonces.storeGiven(signed(50n));
  await nonces.replace(signed(50n));
  await nonces.find({ sequenceId, nonce: 50n });
}

async function useIdempotency({ idempotency }: SignerStore): Promise<void> {
  const claim = { digest: DIGEST, request: DIGEST };
  await idempotency.claim(claim);
  await idempotency.claim(claim);
  await idempotency.release(claim);
  await idempotency.prune(1);
}

async function useAudit({ audit }: SignerStore, database: Database): Promise<void> {
  const text = { caller: '', key: '', method: '', decision: 'allowed', reason: '' };
  await audit.append((head) => [
    { ...text, sequence: head.sequence + 1, timeMs: 0, previousHash: head.hash, hash: DIGEST },
  ]);
  // That of a process which starts: it looks whether the head is that of an entry.
  await openSignerStore(database).audit.append(() => []);
  await audit.head();
  await audit.rows().next();
}
