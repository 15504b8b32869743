import { connectDatabase, type Database } from '@tetrad/db';
import {
  SIGNER_DATABASE_SETTINGS,
  openSignerStore,
  type NonceSequenceKey,
  type NonceTiming,
  type SignerStore,
} from '@tetrad/signer-store';
import { parseAddress, type Address, type Clock, type Hash } from '@tetrad/types';
import pg from 'pg';
import { NonceManager, type SequenceClient, type NonceManagerTiming, type NonceSend } from '../src/index.js';
import { decode, encode, type StrictChain } from './strict-chain.js';

export const CHAIN_ID = 2018n;

export const accountOf = (index: number): Address =>
  parseAddress(`0x${(index + 1).toString(16).padStart(40, '0')}`);

/**
 * Times that suit a chain which answers at once. Replicas that live give signs of life for longer than a busy host
 * stands still; what is taken for dead too early is what other tests are about.
 */
export const QUICK: Partial<NonceManagerTiming> & Partial<NonceTiming> = {
  countFreshMs: 0,
  passMs: 50,
  quietMs: 300,
  announceMs: 300,
  fillGapMs: 300,
  gapPatienceMs: 20_000,
  replicaTtlMs: 60_000,
  duplicateWaitMs: 60_000,
};

/** The chain, for one account, without faults. */
export function clientOf(chain: StrictChain, account: Address): SequenceClient {
  return {
    pendingCount: async () => chain.pendingCount(account),
    minedCount: async () => chain.minedCount(account),
    submit: async (raw) => chain.submit(raw),
    knows: async (hash) => chain.knows(hash),
    chain: async () => ({ chainId: CHAIN_ID, genesis: chain.genesis }),
  };
}

export interface Replica {
  readonly manager: NonceManager;
  readonly store: SignerStore;
  readonly database: Database;
  /** Sends one transaction of the account; the id is in its bytes. */
  send(account: Address, id: string, changes?: Partial<NonceSend>): Promise<Hash>;
  stop(): Promise<void>;
  /** Ends as `kill -9` does: connections break, nothing more is said or heard. */
  crash(): Promise<void>;
}

export interface ReplicaOptions {
  readonly url: string;
  readonly clientFor: (account: Address) => SequenceClient;
  readonly timing?: Partial<NonceManagerTiming> & Partial<NonceTiming>;
  readonly fillsGaps?: boolean;
  readonly signFiller?: typeof encode;
  readonly clock?: Clock;
}

let replicas = 0;

export async function startReplica(options: ReplicaOptions): Promise<Replica> {
  const name = `replica_${process.pid}_${(replicas += 1)}`;
  const timing = { ...QUICK, ...options.timing };
  const database = await connectDatabase({
    url: `${options.url}?application_name=${name}`,
    poolSize: 6,
    settings: SIGNER_DATABASE_SETTINGS,
  });
  const store = openSignerStore(database, timing);
  let alive = true;
  // A process that is gone hears no answer and asks nothing more.
  const living = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work.catch((error: unknown) => (alive ? Promise.reject(error) : forever<T>()));
    return alive ? result : forever<T>();
  };
  const mortal = (client: SequenceClient): SequenceClient => ({
    pendingCount: () => (alive ? living(client.pendingCount()) : forever()),
    minedCount: () => (alive ? living(client.minedCount()) : forever()),
    submit: (raw) => (alive ? living(client.submit(raw)) : forever()),
    knows: (hash) => (alive ? living(client.knows(hash)) : forever()),
    chain: () => (alive ? living(client.chain()) : forever()),
  });
  const { signFiller = encode, clock } = options;
  const manager = new NonceManager({
    store,
    timing,
    ...(clock === undefined ? {} : { clock }),
    clientFor: ({ account }: NonceSequenceKey) => mortal(options.clientFor(account)),
    ...(options.fillsGaps === true
      ? {
          fillGap: async ({ account }, { nonce, lost }) => {
            const gasPrice = lost === undefined ? 0 : (decode(lost).gasPrice ?? 0) + 1;
            return signFiller({ account, nonce: nonce.toString(), id: 'filler', gasPrice });
          },
        }
      : {}),
  });
  await manager.start();
  return {
    manager,
    store,
    database,
    send: (account, id, changes = {}) =>
      living(
        manager.send({
          sequence: { chainId: CHAIN_ID, account },
          client: mortal(options.clientFor(account)),
          sign: (nonce) => encode({ account, nonce: nonce.toString(), id }),
          ...changes,
        }),
      ),
    async stop() {
      await manager.stop();
      await database.close();
    },
    async crash() {
      alive = false;
      Object.assign(database.pool, { query: forever, connect: forever });
      await breakConnections(options.url, name);
    },
  };
}

function forever<T>(): Promise<T> {
  return new Promise<T>(() => undefined);
}

async function breakConnections(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [
    name,
  ]);
  await client.end();
}

/** A little below the time-out of the test runner, which would not say what was waited for. */
const GIVE_UP_MS = 200_000;

/**
 * Resolves when the condition holds.
 * @throws when it never does
 */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + GIVE_UP_MS;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await new Promise((tick) => setTimeout(tick, 20));
  }
}
