import { afterEach, describe, expect, it } from '@jest/globals';
import { FakeGateway, HEADER, answers, byPath, noKeys, refuses, type Play } from './fake-gateway.js';
import { RecordedLog } from './recorded-log.js';
import { TestClients, failureOf } from './test-clients.js';

const clients = new TestClients();
afterEach(() => clients.close());

const credentials = { user: 'minter', password: 'pass-word-1' };
const KEY = { key: 'key', maxBytes: 10_000 };
const invalid = refuses('etcdserver: invalid auth token', 16, 401);
const put = answers({ header: HEADER, succeeded: true });
const NOTHING = { compare: [], success: [], failure: [] };

/** Gives tokens with a number, and takes only the newest one. */
class Guard {
  given = 0;
  readonly play: Play;

  constructor(plays: Readonly<Record<string, Play>>) {
    const authenticate: Play = (response, request) =>
      answers({ header: HEADER, token: `secret-token-${++this.given}` })(response, request);
    this.play = (response, request) => {
      const isGood = request.authorization === `secret-token-${this.given}`;
      if (request.path === 'auth/authenticate') authenticate(response, request);
      else (isGood ? byPath(plays) : invalid)(response, request);
    };
  }
}

describe('a user with a password', () => {
  it('has one token for many requests', async () => {
    const guard = new Guard({ 'kv/range': noKeys });
    const gateway = clients.closing(await FakeGateway.open(guard.play));
    const client = clients.open([gateway.url], { credentials });
    await Promise.all(Array.from({ length: 10 }, () => client.range(KEY)));
    expect(guard.given).toBe(1);
    expect(gateway.asked('auth/authenticate')[0]?.body).toEqual({ name: 'minter', password: 'pass-word-1' });
  });

  it('gets a new token when etcd does not know the old one, also for a transaction', async () => {
    const guard = new Guard({ 'kv/range': noKeys, 'kv/txn': put });
    const gateway = clients.closing(await FakeGateway.open(guard.play));
    const client = clients.open([gateway.url], { credentials });
    await client.range(KEY);
    guard.given = 100;
    expect((await client.transact(NOTHING)).succeeded).toBe(true);
    expect(gateway.asked('kv/txn').map(({ authorization }) => authorization)).toEqual([
      'secret-token-1',
      'secret-token-101',
    ]);
  });

  it('is denied when new tokens are refused too, after one attempt', async () => {
    const play = byPath({
      'auth/authenticate': answers({ header: HEADER, token: 'any' }),
      'kv/txn': invalid,
    });
    const gateway = clients.closing(await FakeGateway.open(play));
    const error = await failureOf(clients.open([gateway.url], { credentials }).transact(NOTHING));
    expect(error).toMatchObject({ kind: 'denied', mayBeExecuted: false });
    expect(gateway.asked('kv/txn')).toHaveLength(2);
  });

  it('is denied with the wrong password, and nothing is executed', async () => {
    const text = 'etcdserver: authentication failed, invalid user ID or password';
    const play = byPath({ 'auth/authenticate': refuses(text, 3, 400), 'kv/txn': put });
    const gateway = clients.closing(await FakeGateway.open(play));
    const error = await failureOf(clients.open([gateway.url], { credentials }).transact(NOTHING));
    expect(error).toMatchObject({ kind: 'denied', refusal: text, mayBeExecuted: false });
    expect(gateway.asked('kv/txn')).toHaveLength(0);
  });

  it('has executed nothing when authentication fails', async () => {
    const play = byPath({ 'auth/authenticate': answers('Bad Gateway', 502), 'kv/txn': put });
    const gateway = clients.closing(await FakeGateway.open(play));
    const error = await failureOf(clients.open([gateway.url], { credentials }).transact(NOTHING));
    expect(error).toMatchObject({ kind: 'unavailable', mayBeExecuted: false });
  });

  it('goes without a token while authentication is not enabled in etcd', async () => {
    const open = refuses('etcdserver: authentication is not enabled', 9, 412);
    const gateway = clients.closing(
      await FakeGateway.open(byPath({ 'auth/authenticate': open, 'kv/range': noKeys })),
    );
    const client = clients.open([gateway.url], { credentials });
    await client.range(KEY);
    await client.range(KEY);
    expect(gateway.asked('kv/range').map(({ authorization }) => authorization)).toEqual([
      undefined,
      undefined,
    ]);
    expect(gateway.asked('auth/authenticate')).toHaveLength(1);
    gateway.plays(new Guard({ 'kv/range': noKeys }).play);
    expect((await client.range(KEY)).revision).toBe(9n);
  });

  it('is in no log and no error', async () => {
    const logger = new RecordedLog();
    const guard = new Guard({ 'kv/range': answers('<html>') });
    const gateway = clients.closing(await FakeGateway.open(guard.play));
    const client = clients.open([gateway.url], { credentials, logger });
    const error = await failureOf(client.range(KEY));
    await gateway.close();
    const away = await failureOf(client.range(KEY));
    const texts = [...logger.lines, error.stack, away.stack, JSON.stringify([error, away])].join('\n');
    expect(logger.lines.length).toBeGreaterThan(0);
    expect(texts).not.toMatch(/secret-token|pass-word/);
  });
});
