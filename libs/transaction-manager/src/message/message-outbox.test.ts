import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { silentLogger } from '@tetrad/types';
import { Enclave } from '../enclave/enclave.js';
import { generateKeyPair } from '../keys/key-pair.js';
import { KeyRing } from '../keys/key-ring.js';
import type { WaitingMessage } from '../store/message-store.js';
import { MessageOutbox } from './message-outbox.js';
import type { MessagePair, PartyMessage } from './party-message.js';

const OWN = generateKeyPair();
const OTHER = generateKeyPair().publicKey;
const URL_OF_OTHER = 'http://127.0.0.1:1/';

let outbox: MessageOutbox;
afterEach(() => outbox.stop());

const MESSAGE = { from: OWN.publicKey, to: OTHER, kind: 'test', body: new Uint8Array(1) };

/** An outbox over rows in memory, whose recipient's manager takes everything, or answers the status that is set. */
function startOutbox({ whileAsked = async (): Promise<unknown> => undefined } = {}) {
  const rows: WaitingMessage[] = [];
  const [statements, posts] = [[] as string[], [] as bigint[]];
  const peer = { status: 200 };
  let last = 0n;
  const store = {
    async take(messages: readonly PartyMessage[]) {
      statements.push('take');
      for (const message of messages) {
        last += 1n;
        rows.push({ ...message, id: last, order: last });
      }
      return messages.map(() => true);
    },
    async waiting() {
      statements.push('waiting');
      const found = [...rows];
      await whileAsked();
      return found;
    },
    async next(_: MessagePair, delivered: readonly bigint[], { max }: { readonly max: number }) {
      statements.push('next');
      for (const id of delivered) rows.splice(0, rows[0]?.id === id ? 1 : 0);
      const found = rows.slice(0, max);
      await whileAsked();
      return found;
    },
    expire: async () => 0,
  };
  outbox = new MessageOutbox({
    store,
    enclave: new Enclave(new KeyRing([OWN])),
    table: {
      find: () => ({ url: URL_OF_OTHER, versions: new Set<string>() }),
      holderOf: () => ({ url: URL_OF_OTHER, bound: true, active: true }),
    },
    peers: {
      async post() {
        posts.push(rows[0]?.id ?? 0n);
        return { status: peer.status, headers: {}, text: '' };
      },
    },
    abilities: { carriesMessages: () => true, takesGroups: () => false },
    logger: silentLogger,
    intervalMs: 5,
  });
  outbox.start();
  return { rows, statements, posts, peer };
}

/** Lets the outbox look a few times at what waits. */
const looks = () => sleep(50);

describe('messages that wait', () => {
  it('are delivered also when one is taken while the database is asked what waits, or what is next', async () => {
    let taken = 0;
    const { rows, posts } = startOutbox({
      whileAsked: async () => {
        // The answer of the database is on its way when the next message is stored.
        if (taken < 3) {
          taken += 1;
          await outbox.take([MESSAGE]);
        }
      },
    });
    await until(() => posts.length === 3 && rows.length === 0);
    expect(posts).toEqual([1n, 2n, 3n]);
  });

  it('cost an idle manager three statements each, and nothing once they are delivered', async () => {
    const { statements, posts } = startOutbox();
    await until(() => statements.includes('waiting'));
    await looks();
    expect(statements).toEqual(['waiting']);
    for (const count of [1, 2]) {
      statements.length = 0;
      await outbox.take([MESSAGE]);
      await until(() => posts.length === count && statements.length === 3);
      await looks();
      expect(statements).toEqual(['take', 'next', 'next']);
    }
  });

  it('wait for the recipient without a question to the database', async () => {
    const { rows, statements, posts, peer } = startOutbox();
    await until(() => statements.includes('waiting'));
    statements.length = 0;
    peer.status = 503;
    await outbox.take([MESSAGE]);
    await until(() => posts.length === 1);
    await looks();
    expect(statements).toEqual(['take', 'next']);
    await outbox.take([MESSAGE]);
    peer.status = 200;
    await until(() => rows.length === 0);
    expect(posts).toEqual([1n, 1n, 2n]);
  });

  it('are looked for in the database again after it has failed', async () => {
    let fails = true;
    const { rows, posts } = startOutbox({
      whileAsked: async () => {
        if (fails) throw new Error('no database');
      },
    });
    await outbox.take([MESSAGE]);
    await looks();
    expect(posts).toEqual([]);
    fails = false;
    await until(() => rows.length === 0);
    expect(posts).toEqual([1n]);
  });
});
