import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { Enclave } from '../src/enclave/enclave.js';
import { generateKeyPair } from '../src/keys/key-pair.js';
import { KeyRing } from '../src/keys/key-ring.js';
import { sealMessage } from '../src/message/sealed-message.js';
import { orderAt } from '../src/store/message-store.js';
import {
  A,
  B,
  acknowledge,
  endAll,
  endLater,
  give,
  messageOf,
  post,
  read,
  sealedByA,
  start,
  startPair,
  textsOf,
} from './message-managers.js';
import { startManager } from './running-managers.js';

afterEach(endAll);

describe('messages between the nodes of parties', () => {
  it('arrive in their order, once, and stay until they are acknowledged', async () => {
    const { a, b } = await startPair();
    const texts = Array.from({ length: 20 }, (_, index) => `message ${index}`);
    for (const text of texts)
      expect(await give(a, messageOf(text))).toEqual({ status: 200, text: '{"outcome":"accepted"}' });
    await until(async () => (await read(b)).length === texts.length);
    expect(await textsOf(b)).toEqual(texts);
    const [first, second, ...others] = await read(b);
    expect(first).toMatchObject({ from: A, to: B, kind: 'test' });
    expect(await acknowledge(b, [second?.id ?? ''])).toBe(200);
    expect((await read(b)).map(({ id }) => id)).toEqual([first, ...others].map((one) => one?.id));
    expect(await read(b, 1)).toEqual([first]);
    expect(await a.stored.messages.waiting()).toEqual([]);
  });

  it('survive a stop of the sender after it has accepted them, and of the way', async () => {
    const { a, b, link } = await startPair();
    link.interference = { drops: (path) => path === '/partymessage' };
    await give(a, messageOf('kept'));
    await a.stop();
    expect(await a.stored.messages.waiting()).toEqual([{ from: A, to: B }]);
    expect(await read(b)).toEqual([]);
    link.interference = {};
    const again = await startManager(['a1'], { peers: [link.url], database: a.database });
    endLater({ end: () => again.stop() });
    await until(async () => (await read(b)).length === 1);
    expect(await textsOf(b)).toEqual(['kept']);
  });

  it('are stored once when the answer to the sender is lost, or a host on the way repeats them', async () => {
    const { b } = await startPair();
    const order = orderAt(Date.now() + 1_000);
    const [one, two] = [sealedByA(order, 'one'), sealedByA(order + 1n, 'two')];
    for (const sealed of [one, one, two, one, two])
      expect(await post(b, sealed)).toMatchObject({ status: 200 });
    expect(await textsOf(b)).toEqual(['one', 'two']);
    await acknowledge(
      b,
      (await read(b)).map(({ id }) => id),
    );
    expect(await post(b, one)).toMatchObject({ status: 200 });
    expect(await read(b)).toEqual([]);
  });

  it('of others than the sender are refused', async () => {
    const { b } = await startPair();
    const sealed = Buffer.from(sealedByA(orderAt(Date.now()), 'text'));
    const stranger = generateKeyPair();
    const enclave = new Enclave(new KeyRing([stranger]));
    const own = sealMessage({ from: stranger.publicKey, to: B, order: 5n, kind: 'x', body: sealed }, enclave);
    expect(await post(b, own)).toMatchObject({ status: 403 });
    const inNameOfA = Buffer.concat([Buffer.from(A, 'base64'), own.subarray(32)]);
    expect(await post(b, inNameOfA)).toMatchObject({ status: 400 });
    const toOther = sealedByA(orderAt(Date.now()), 'text', stranger.publicKey);
    expect(await post(b, toOther)).toMatchObject({ status: 404 });
    const redirected = Buffer.concat([
      toOther.subarray(0, 32),
      Buffer.from(B, 'base64'),
      toOther.subarray(64),
    ]);
    expect(await post(b, redirected)).toMatchObject({ status: 400 });
    for (const at of [70, 100, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(await post(b, changed)).toMatchObject({ status: 400 });
    }
    expect(await post(b, randomBytes(40))).toMatchObject({ status: 400 });
    expect(await post(b, Buffer.concat([sealed, Buffer.alloc(70_000)]))).toMatchObject({ status: 400 });
    expect(await read(b)).toEqual([]);
  });

  it('whose order is far from the clock are refused, so that a clock that was ahead mutes no sender', async () => {
    const { b } = await startPair();
    const hours = (count: number) => orderAt(Date.now() + count * 3_600_000);
    expect(await post(b, sealedByA(hours(1), 'ahead'))).toMatchObject({ status: 503 });
    expect(await post(b, sealedByA(hours(-50), 'old'))).toMatchObject({ status: 400 });
    expect(await post(b, sealedByA(hours(0), 'now'))).toMatchObject({ status: 200 });
    expect(await textsOf(b)).toEqual(['now']);
  });

  it('go to others while one recipient answers none, or its key is not here any more', async () => {
    const { a: before, b, link } = await startPair();
    const gone = generateKeyPair().publicKey;
    const silent = generateKeyPair().publicKey;
    await before.stop();
    await before.stored.messages.take([{ from: A, to: silent, kind: 'test', body: new Uint8Array(1) }], 9);
    await before.stored.messages.take([{ from: gone, to: B, kind: 'test', body: new Uint8Array(1) }], 9);
    // Held by the link itself, which takes none of them.
    link.interference = { drops: (path) => path === '/partymessage' };
    const a = await start('a1', { peers: [link.url], database: before.database });
    a.parties.setHolder(silent, { url: link.url, bound: true, active: true });
    await until(() => a.parties.find(B) !== undefined);
    await give(a, messageOf('through'));
    await until(() => link.messages > 0);
    link.interference = { drops: () => false };
    await until(async () => (await textsOf(b)).includes('through'));
    await until(async () => (await a.stored.messages.waiting()).every(({ from }) => from === A));
  });

  it('of one sender are bounded, and do not keep out those of another', async () => {
    const { b } = await startPair();
    const message = { from: A, to: B, kind: 'test', body: Buffer.from('text') };
    type Bounds = Parameters<typeof b.stored.messages.receive>[2];
    const receive = (one: typeof message & { readonly order: bigint }, max: Bounds) =>
      b.stored.messages.receive(one, [one], max);
    const bounds = { ofOne: 3, ofAll: 5, pairs: Infinity };
    for (const order of [1n, 2n, 3n]) expect(await receive({ ...message, order }, bounds)).toBe(true);
    expect(await receive({ ...message, order: 4n }, bounds)).toBe(false);
    const from = generateKeyPair().publicKey;
    for (const order of [1n, 2n]) expect(await receive({ ...message, from, order }, bounds)).toBe(true);
    const third = { ...message, from: generateKeyPair().publicKey, order: 1n };
    expect(await receive(third, bounds)).toBe(false);
    const begun = { ofOne: 3, ofAll: 9, pairs: 2 };
    expect(await receive(third, begun)).toBe(false);
    expect(await receive({ ...message, from, order: 3n }, begun)).toBe(true);
    // One that was refused for lack of room is taken later.
    await acknowledge(
      b,
      (await read(b)).map(({ id }) => id),
    );
    expect(await receive({ ...message, order: 4n }, bounds)).toBe(true);
  });

  it('are not given to a manager that carries none', async () => {
    const { a, b, link } = await startPair({
      answer: (headers) => void delete headers['tetrad-party-messages'],
    });
    await until(async () => (await give(a, messageOf('text'))).text === '{"outcome":"unsupported"}');
    expect(link.messages).toBe(0);
    link.interference = {};
    await until(async () => (await give(a, messageOf('later'))).text === '{"outcome":"accepted"}');
    await until(async () => (await textsOf(b)).includes('later'));
  });

  it('are refused by a text that names what is wrong', async () => {
    const { a } = await startPair();
    const unknown = randomBytes(32).toString('base64');
    const refusals: readonly [object, number, string][] = [
      [{ kind: 'Test' }, 400, 'kind'],
      [{ kind: 'k'.repeat(33) }, 400, 'kind'],
      [{ body: Buffer.alloc(65_537).toString('base64') }, 400, 'body has 65537 bytes'],
      [{ body: '!' }, 500, 'Illegal base64 character 21'],
      [{ from: 'AAAA' }, 500, 'a public key has 32 bytes'],
      [{ from: B }, 404, `Public key ${B} not found`],
      [{ to: A }, 400, 'to is a key of this manager'],
      [{ to: unknown }, 404, `Recipient not found for key: ${unknown}`],
      [{ to: undefined }, 400, 'to'],
    ];
    for (const [more, status, text] of refusals) {
      const answer = await give(a, messageOf('text', more));
      expect(answer).toEqual({ status, text: expect.stringContaining(text) });
    }
    expect(await a.stored.messages.waiting()).toEqual([]);
  });

  it('are read and acknowledged within bounds', async () => {
    const b = await start('b1');
    for (const query of ['', 'max=0', 'max=65', 'max=x', 'max=1&max=2'])
      expect((await fetch(new URL(`partymessages?${query}`, b.clientUrl))).status).toBe(400);
    for (const ids of [
      ['x'],
      ['1'],
      ['-1-1'],
      ['9999999999999999999-1'],
      ['1-2147483648'],
      Array<string>(65).fill('1-1'),
    ])
      expect(await acknowledge(b, ids)).toBe(400);
    expect(await acknowledge(b, ['1-1'])).toBe(200);
  });
});
