import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { generateKeyPair } from '../src/keys/key-pair.js';
import { A, B, endAll, give, messageOf, start, startPair, textsOf } from './message-managers.js';
import type { RunningManager } from './running-managers.js';

afterEach(endAll);

/** What the manager says of messages that its node gives it together. */
async function giveAll(manager: RunningManager, messages: unknown): Promise<unknown> {
  const { status, text } = await give(manager, { messages });
  return status === 200 ? (JSON.parse(text) as { readonly outcomes: unknown }).outcomes : { status, text };
}

const ACCEPTED = { outcome: 'accepted' };
const body = (bytes: number) => randomBytes(bytes).toString('base64');

describe('messages that a node gives together', () => {
  it('are announced by the answer about versions', async () => {
    const a = await start('a1');
    const { headers } = await fetch(new URL('version/api', a.clientUrl));
    expect(headers.get('tetrad-message-groups')).toBe('1');
    expect(headers.get('tetrad-party-messages')).toBe('1');
  });

  it('arrive in their order, up to 64 and 1 MiB', async () => {
    const { a, b } = await startPair();
    const texts = Array.from({ length: 64 }, (_, index) => `message ${index}`);
    expect(
      await giveAll(
        a,
        texts.map((text) => messageOf(text)),
      ),
    ).toEqual(texts.map(() => ACCEPTED));
    await until(async () => (await textsOf(b)).length === 64);
    expect(await textsOf(b)).toEqual(texts);
    const long = Array.from({ length: 16 }, () => messageOf('', { body: body(65_536) }));
    expect(await giveAll(a, long)).toEqual(long.map(() => ACCEPTED));
  });

  it('have each the outcome that it has by itself', async () => {
    const { a, b } = await startPair();
    const unknown = generateKeyPair().publicKey;
    const messages = [
      messageOf('first'),
      messageOf('x', { to: unknown }),
      messageOf('x', { from: unknown }),
      messageOf('x', { to: A }),
      messageOf('second'),
    ];
    const outcomes = [
      ACCEPTED,
      { status: 404, text: `Recipient not found for key: ${unknown}` },
      { status: 404, text: `Public key ${unknown} not found when searching for private key` },
      { status: 400, text: `to is a key of this manager: ${A}` },
      ACCEPTED,
    ];
    expect(await giveAll(a, messages)).toEqual(outcomes);
    for (const [index, message] of messages.slice(1, 4).entries())
      expect(await give(a, message)).toEqual(outcomes[index + 1]);
    await until(async () => (await textsOf(b)).length === 2);
    expect(await textsOf(b)).toEqual(['first', 'second']);
  });

  it('are full where too many of their pair wait, and unsupported where the manager carries none', async () => {
    const { a, link } = await startPair({ drops: (path) => path.startsWith('/partymessage') });
    const group = Array.from({ length: 60 }, () => messageOf('x'));
    for (let turn = 0; turn < 4; turn++) expect(await giveAll(a, group)).toEqual(group.map(() => ACCEPTED));
    const expected = group.map((_, index) => (index < 16 ? ACCEPTED : { outcome: 'full' }));
    expect(await giveAll(a, group)).toEqual(expected);
    link.interference = { answer: (headers) => void delete headers['tetrad-party-messages'] };
    const one = [messageOf('x')];
    await until(async () => JSON.stringify(await giveAll(a, one)) === '[{"outcome":"unsupported"}]');
  });

  it('are refused together, by a text that names what is wrong', async () => {
    const { a } = await startPair();
    const good = messageOf('good');
    const refusals: readonly [unknown, number, string][] = [
      [[], 400, 'messages'],
      ['text', 400, 'messages'],
      [null, 400, 'messages'],
      [[good, 'text'], 400, 'messages'],
      [[good, [good]], 400, 'messages'],
      [Array(65).fill(good), 400, 'messages has 65 entries; the limit is 64'],
      [[good, messageOf('x', { kind: 'Test' })], 400, 'message 2 of 2: HTTP 400 Bad Request (kind)'],
      [[messageOf('x', { to: undefined }), good], 400, 'message 1 of 2: HTTP 400 Bad Request (to)'],
      [[good, messageOf('x', { body: body(65_537) })], 400, 'message 2 of 2: body has 65537 bytes'],
      [[good, messageOf('x', { body: '!' })], 500, 'message 2 of 2: Illegal base64 character 21'],
      [[good, messageOf('x', { from: 'AAAA' })], 500, 'message 2 of 2: a public key has 32 bytes'],
      [
        [good, ...Array.from({ length: 16 }, () => messageOf('', { body: body(65_536) }))],
        400,
        'the bodies have 1048580 bytes; the limit is 1048576',
      ],
    ];
    for (const [messages, status, text] of refusals)
      expect(await giveAll(a, messages)).toEqual({ status, text: expect.stringContaining(text) });
    expect(await a.stored.messages.waiting()).toEqual([]);
  });

  it('of several requests of one moment are stored in the order of each', async () => {
    const { a } = await startPair({ drops: (path) => path.startsWith('/partymessage') });
    const given = Array.from({ length: 3 }, (_, nth) =>
      giveAll(
        a,
        Array.from({ length: 20 }, (__, index) => messageOf(`${nth} ${index}`)),
      ),
    );
    const answers = await Promise.all(given);
    const bounds = { max: 256, bytes: 1_048_576 };
    const waiting = await a.stored.messages.next({ from: A, to: B }, [], bounds);
    const texts = waiting.map((one) => Buffer.from(one.body).toString());
    for (const [nth, answer] of answers.entries()) {
      const own = texts.filter((text) => text.startsWith(`${nth} `));
      expect(answer).toEqual(own.map(() => ACCEPTED));
      expect(own).toEqual(Array.from({ length: 20 }, (_, index) => `${nth} ${index}`));
    }
  });
});
