import { afterEach, beforeEach } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { RequestError } from '@tetrad/types';
import type { SequenceClient } from '../src/index.js';
import { accountOf, clientOf, startReplica, until, type Replica, type ReplicaOptions } from './replica.js';
import { StrictChain } from './strict-chain.js';

/** The account that tests of one account send from. */
export const ACCOUNT = accountOf(0);

/** For replicas that die in a test: the others wait no longer than this for a sign of life. */
export const SHORT_LIVED = { timing: { replicaTtlMs: 3_000 } };

/** One database, one chain, and the replicas that a test starts in front of it. */
export class NonceManagerSetup {
  chain = new StrictChain();
  private database: TestDatabase | undefined;
  private running: Replica[] = [];

  async open(): Promise<void> {
    this.database = await createTestDatabase('signer');
    this.chain = new StrictChain();
  }

  async close(): Promise<void> {
    await Promise.all(this.running.splice(0).map((replica) => replica.stop()));
    await this.database?.drop();
  }

  /** A replica in front of the chain; the changes are to its client. */
  async start(
    changes: Partial<SequenceClient> = {},
    options: Partial<ReplicaOptions> = {},
  ): Promise<Replica> {
    const replica = await startReplica({
      url: this.database?.url ?? '',
      clientFor: (of) => ({ ...clientOf(this.chain, of), ...changes }),
      ...options,
    });
    this.running.push(replica);
    return replica;
  }

  /** A replica whose client takes what it is given, and whose answers get lost until `answer` is called. */
  async startUnanswered(): Promise<{ readonly replica: Replica; answer(): void }> {
    let lost = true;
    const replica = await this.start({
      submit: async (raw) => {
        const hash = this.chain.submit(raw);
        if (lost) throw timeOut();
        return hash;
      },
    });
    return { replica, answer: () => void (lost = false) };
  }

  async crash(replica: Replica): Promise<void> {
    this.running = this.running.filter((one) => one !== replica);
    await replica.crash();
  }

  /** Sends of the account that are in blocks, in the order of their nonces. */
  minedIds(): readonly string[] {
    return this.chain.mined(ACCOUNT).map(({ transaction }) => transaction.id);
  }

  async entries({ database }: Replica): Promise<readonly { nonce: string; state: string }[]> {
    const { rows } = await database.pool.query<{ nonce: string; state: string }>(
      'SELECT nonce, state FROM nonce_entry ORDER BY nonce',
    );
    return rows;
  }

  /** Mines until the nonce manager has nothing to look after. */
  settled(replica: Replica): Promise<void> {
    return until(async () => {
      this.chain.mine();
      return (await this.entries(replica)).length === 0;
    }, 'every nonce is settled');
  }
}

/** A fresh setup for each test. */
export function useNonceManager(): NonceManagerSetup {
  const setup = new NonceManagerSetup();
  beforeEach(() => setup.open());
  afterEach(() => setup.close());
  return setup;
}

/** No connection could be made. */
export function unsent(): RequestError {
  const text = 'Failed to connect to downstream node';
  return new RequestError('FAILED_TO_CONNECT_TO_DOWNSTREAM_NODE', text, { sent: false });
}

export function timeOut(): RequestError {
  const text = 'Connection to downstream node timed out';
  return new RequestError('CONNECTION_TO_DOWNSTREAM_NODE_TIMED_OUT', text);
}
