import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { generateKeyPair } from '../src/keys/key-pair.js';
import { joinMessages } from '../src/message/message-group.js';
import { orderAt } from '../src/store/message-store.js';
import type { Interference } from './link-between.js';
import {
  A,
  acknowledge,
  endAll,
  give,
  messageOf,
  post,
  read,
  sealedByA,
  start,
  startPair,
  textsOf,
} from './message-managers.js';
import type { RunningManager } from './running-managers.js';

afterEach(endAll);

const COUNT = 150;
const TEXTS = Array.from({ length: COUNT }, (_, index) => `message ${index}`);
const isMessage = (path: string) => path.startsWith('/partymessage');
const postAll = (manager: RunningManager, sealed: readonly Uint8Array[]) =>
  post(manager, joinMessages(sealed), 'partymessages');

/** Sealed by `a`, with orders that follow each other from now on. */
function sealedGroup(texts: readonly string[], first = orderAt(Date.now())): Uint8Array[] {
  return texts.map((text, index) => sealedByA(first + BigInt(index), text));
}

/** Reads and acknowledges messages until so many have come. */
async function readAll(manager: RunningManager, count: number): Promise<string[]> {
  const found: string[] = [];
  await until(async () => {
    const messages = await read(manager);
    found.push(...messages.map(({ body }) => Buffer.from(body, 'base64').toString()));
    const ids = messages.map(({ id }) => id);
    await acknowledge(manager, ids);
    return found.length >= count;
  });
  return found;
}

/** Many messages that waited while nothing passed; what interferes then. */
async function sendMany(interference: Interference) {
  const { a, b, link } = await startPair({ ...interference, drops: isMessage });
  for (const text of TEXTS) await give(a, messageOf(text));
  await until(() => link.messages > 0);
  [link.messages, link.messageGroups] = [0, 0];
  link.interference = interference;
  const texts = await readAll(b, COUNT);
  return { a, b, link, texts };
}

describe('messages of one pair that wait', () => {
  it('share requests, and come in their order', async () => {
    const { a, link, texts } = await sendMany({});
    expect(texts).toEqual(TEXTS);
    // The first goes by itself, after the failure before it.
    expect(link.messages).toBeLessThanOrEqual(1);
    expect(link.messageGroups).toBe(3);
    await until(async () => (await a.stored.messages.waiting()).length === 0);
  });

  it('go one by one to a manager that does not say that it takes several', async () => {
    const { link, texts } = await sendMany({
      answer: (headers) => void delete headers['tetrad-message-groups'],
    });
    expect(texts).toEqual(TEXTS);
    expect(link.messageGroups).toBe(0);
  });

  it('go one by one where several are refused', async () => {
    const { a, b, link } = await startPair({ drops: isMessage });
    for (const text of TEXTS.slice(0, 3)) await give(a, messageOf(text));
    await until(() => link.messages > 0);
    link.interference = { lacks: (path) => path === '/partymessages' };
    await until(async () => (await textsOf(b)).length === 3);
    expect(await textsOf(b)).toEqual(TEXTS.slice(0, 3));
    expect(link.messageGroups).toBeGreaterThan(0);
  });

  it('of 64 KiB each share requests of at most 1 MiB', async () => {
    const { a, b, link } = await startPair({ drops: isMessage });
    const bodies = Array.from({ length: 20 }, () => randomBytes(65_536).toString('base64'));
    for (const body of bodies) await give(a, messageOf('', { body }));
    await until(() => link.messages > 0);
    [link.messages, link.messageGroups] = [0, 0];
    link.interference = {};
    await until(async () => (await read(b)).length === bodies.length);
    expect((await read(b)).map(({ body }) => body)).toEqual(bodies);
    expect(link.messageGroups).toBe(2);
  });
});

describe('a request with several messages', () => {
  it('is stored once, however often a host on the way repeats it or parts of it', async () => {
    const { b } = await startPair();
    const group = sealedGroup(['one', 'two', 'three', 'four']);
    const parts = [group.slice(0, 2), group.slice(0, 2), group.slice(1, 3), group, group.slice(3)];
    for (const part of parts) expect(await postAll(b, part)).toEqual({ status: 200, text: '' });
    expect(await textsOf(b)).toEqual(['one', 'two', 'three', 'four']);
  });

  it('is refused as a whole, by a text that names what is wrong', async () => {
    const { b } = await startPair();
    const group = sealedGroup(['one', 'two', 'three']);
    const [one, two, three] = group as [Uint8Array, Uint8Array, Uint8Array];
    const stranger = generateKeyPair().publicKey;
    const forged = Buffer.from(two);
    forged.writeUInt8(forged.readUInt8(100) ^ 1, 100);
    const hours = (count: number) => orderAt(Date.now() + count * 3_600_000);
    const refusals: readonly [Uint8Array, number, string][] = [
      [new Uint8Array(0), 400, 'there is no message'],
      [joinMessages(sealedGroup(Array<string>(65).fill('x'))), 400, 'there are more than 64 messages'],
      [Buffer.alloc(1_048_577), 400, 'the messages have 1048577 bytes; the limit is 1048576'],
      [joinMessages(group).subarray(0, -1), 400, 'the last message ends too early'],
      [Buffer.concat([joinMessages(group), Buffer.alloc(3)]), 400, 'the last message ends too early'],
      [joinMessages([one, two.subarray(0, 40)]), 400, 'message 2 of 2: not a message: its length is wrong'],
      [
        joinMessages([one, Buffer.concat([two, Buffer.alloc(70_000)])]),
        400,
        'message 2 of 2: not a message: ',
      ],
      [joinMessages([one, forged, three]), 400, 'message 2 of 3: not a message that its sender has sealed'],
      [
        joinMessages([one, sealedByA(hours(0), 'x', stranger)]),
        400,
        'message 2 of 2: not of the same two keys',
      ],
      [joinMessages([one, three, two]), 400, 'message 3 of 3: its order is not after the one before'],
      [joinMessages([one, one]), 400, 'message 2 of 2: its order is not after the one before'],
      [joinMessages([sealedByA(hours(-50), 'old'), one]), 400, 'message 1 of 2: the message is too old'],
      [
        joinMessages([one, sealedByA(hours(1), 'x')]),
        503,
        'message 2 of 2: the clock of the sender is ahead',
      ],
      [joinMessages([sealedByA(hours(0), 'x', stranger)]), 404, `Recipient not found for key: ${stranger}`],
    ];
    for (const [body, status, text] of refusals)
      expect(await post(b, body, 'partymessages')).toEqual({ status, text: expect.stringContaining(text) });
    expect(await read(b)).toEqual([]);
    expect(await postAll(b, group)).toMatchObject({ status: 200 });
    expect(await textsOf(b)).toEqual(['one', 'two', 'three']);
  });

  it('of a key that no manager has proved to hold is refused', async () => {
    const b = await start('b1');
    expect(await postAll(b, sealedGroup(['one', 'two']))).toEqual({
      status: 403,
      text: `no manager has proved to hold the key ${A}`,
    });
    expect(await read(b)).toEqual([]);
  });

  it('is refused without room for all of it, and taken later', async () => {
    const { b } = await startPair();
    const before = orderAt(Date.now());
    const groups = Array.from({ length: 4 }, (_, nth) =>
      sealedGroup(Array<string>(63).fill(`group ${nth}`), before + BigInt(nth * 100)),
    );
    for (const group of groups) expect(await postAll(b, group)).toMatchObject({ status: 200 });
    const five = sealedGroup(Array<string>(5).fill('last'), before + 1_000n);
    const refusal = { status: 503, text: 'too many messages wait for the node; try again' };
    expect(await postAll(b, five)).toEqual(refusal);
    expect(await postAll(b, five.slice(0, 4))).toMatchObject({ status: 200 });
    expect(await postAll(b, five)).toEqual(refusal);
    const texts = await readAll(b, 256);
    expect(texts.filter((text) => text === 'last')).toHaveLength(4);
    expect(await postAll(b, five)).toMatchObject({ status: 200 });
    expect(await textsOf(b)).toEqual(['last']);
  });
});
