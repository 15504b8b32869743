import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { silentLogger } from '@tetrad/types';
import { Enclave } from '../enclave/enclave.js';
import { generateKeyPair } from '../keys/key-pair.js';
import { KeyRing } from '../keys/key-ring.js';
import { MessageOutbox } from './message-outbox.js';
import type { MessagePair } from './party-message.js';

const OWN = generateKeyPair();
const OTHER = generateKeyPair().publicKey;
const URL_OF_OTHER = 'http://127.0.0.1:1/';

let outbox: MessageOutbox;
afterEach(() => outbox.stop());

describe('messages that wait', () => {
  it('are delivered also when one is taken while the database is asked what waits', async () => {
    const rows: MessagePair[] = [];
    let posts = 0;
    let take = (): unknown => undefined;
    const store = {
      async waiting() {
        const found = [...rows];
        // The answer of the database is on its way when the next message is stored.
        await take();
        return found;
      },
      async take({ from, to }: MessagePair) {
        rows.push({ from, to });
        return true;
      },
      async next(pair: MessagePair) {
        const message = { ...pair, id: 1n, order: 1n, kind: 'test', body: new Uint8Array(1) };
        return rows.length === 0 ? undefined : message;
      },
      async delivered() {
        rows.pop();
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
          posts += 1;
          return { status: 200, headers: {}, text: '' };
        },
      },
      abilities: { carriesMessages: () => true },
      logger: silentLogger,
      intervalMs: 5,
    });
    const message = { from: OWN.publicKey, to: OTHER, kind: 'test', body: new Uint8Array(1) };
    take = () => {
      take = () => undefined;
      return outbox.take(message);
    };
    outbox.start();
    await until(() => posts === 1);
    expect(rows).toEqual([]);
  });
});
