import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PtmKey } from '@tetrad/types';
import { ManagerClient } from '../src/manager-client.js';
import type { Found, Outcome } from '../src/outcome.js';
import type { PrivacyMetadata } from '../src/requests.js';
import { recorded, recordedManager, type RecordedExchange } from './recorded-manager.js';

let manager: Awaited<ReturnType<typeof recordedManager>>;
let client: ManagerClient;
beforeAll(async () => {
  manager = await recordedManager();
  client = new ManagerClient({ url: manager.url, timeoutMs: 60_000, connectTimeoutMs: 60_000 });
});
afterAll(async () => {
  await client.close();
  await manager.close();
});

interface Body {
  readonly payload?: string;
  readonly hash?: string;
  readonly from?: PtmKey;
  readonly to?: readonly PtmKey[];
  readonly privacyFlag?: number;
  readonly affectedContractTransactions?: readonly string[];
  readonly execHash?: string;
  readonly privacyGroupId?: string;
}

function metadataOf(body: Body): PrivacyMetadata {
  return {
    privacyFlag: body.privacyFlag ?? 0,
    affected: (body.affectedContractTransactions ?? []).map((hash) => Buffer.from(hash, 'base64')),
    execHash: body.execHash ?? '',
    mandatoryFor: [],
    ...(body.privacyGroupId === undefined
      ? {}
      : { privacyGroupId: Buffer.from(body.privacyGroupId, 'base64') }),
  };
}

type Call = () => Promise<Outcome<unknown> | Found<unknown>>;

/** The call of ours that asks what was recorded; nothing for what we never ask. */
function callFor({ request }: RecordedExchange): Call | undefined {
  const [path = '', query = ''] = request.path.split('?');
  const [, first, name = '', last] = path.split('/');
  if (request.method === 'POST') return postFor(path, request.body ?? '');
  if (path === '/upcheck') return () => client.upcheck();
  if (request.method !== 'GET' || first !== 'transaction') return undefined;
  const hash = Buffer.from(decodeURIComponent(name), 'base64');
  if (hash.length !== 64) return undefined;
  if (last === 'isSender') return () => client.isSender(hash);
  if (last === 'participants') return () => client.participants(hash);
  if (last === 'mandatory') return () => client.mandatoryRecipients(hash);
  if (query === 'isRaw=true') return () => client.receiveRaw(hash);
  const to = new URLSearchParams(query.replaceAll('+', '%2B')).get('to') ?? undefined;
  return query === '' || to !== undefined ? () => client.receive(hash, to as PtmKey | undefined) : undefined;
}

function postFor(path: string, text: string): Call | undefined {
  if (path === '/sendraw') return () => client.sendRaw(Buffer.from(text), { to: [] });
  if (!['/send', '/sendsignedtx', '/storeraw'].includes(path)) return undefined;
  let body: Body;
  try {
    body = JSON.parse(text) as Body;
  } catch {
    return undefined;
  }
  const { payload, hash, from, to = [] } = body;
  const plaintext = Buffer.from(payload ?? '', 'base64');
  if (path === '/storeraw') return () => client.storeRaw(plaintext, from);
  if (path === '/send') return () => client.send({ payload: plaintext, from, to, ...metadataOf(body) });
  if (hash === undefined) return undefined;
  return () => client.sendSigned({ hash: Buffer.from(hash, 'base64'), to, ...metadataOf(body) });
}

/** Media types that we ask for; under others other members are answered. */
function isOurs({ request: { path, headers } }: RecordedExchange): boolean {
  const types = [headers['Content-Type'], headers['Accept']].filter((type) => type !== undefined);
  const ours = ['/storeraw', '/sendraw'].includes(path)
    ? ['application/json', 'application/octet-stream']
    : ['application/vnd.tessera-2.1+json'];
  return types.every((type) => ours.includes(type));
}

/** What we send beside what was recorded. */
const DEFAULTS = { privacyFlag: 0, affectedContractTransactions: [], to: [] };

describe('a manager of API 3.0', () => {
  const known = recorded.http.flatMap((exchange, index) => {
    const call = isOurs(exchange) ? callFor(exchange) : undefined;
    return call === undefined ? [] : [{ exchange, call, index, name: exchange.name }];
  });

  it('gets most of the recorded requests', () => {
    expect(known.length).toBeGreaterThan(50);
  });

  it.each(known)('$index $name', async ({ exchange: { request, response }, call }) => {
    manager.answerWith(response);
    const outcome = await call();
    const asked = manager.asked();
    expect([asked?.method, asked?.path]).toEqual([request.method, request.path]);
    if (request.headers['Content-Type'] !== undefined)
      expect(asked?.contentType).toBe(request.headers['Content-Type']);
    if (request.path.startsWith('/send') && request.path !== '/sendraw')
      expect({ ...DEFAULTS, ...(JSON.parse(asked?.body ?? '') as object) }).toEqual({
        ...DEFAULTS,
        ...pick(JSON.parse(request.body ?? '') as Record<string, unknown>, asked?.body ?? ''),
      });
    expect(outcome).toEqual(expectedOutcome(request.path, response));
  });
});

/** The members of a recorded body that the client knows; others were sent to see that they are ignored. */
function pick(body: Record<string, unknown>, sent: string): object {
  const names = new Set([...Object.keys(JSON.parse(sent) as object), ...Object.keys(DEFAULTS)]);
  const given = Object.entries(body).filter(([name, value]) => names.has(name) && value !== null);
  return Object.fromEntries(given);
}

function expectedOutcome(path: string, { status, body, reason }: RecordedExchange['response']): unknown {
  const text = body === undefined || body === null || body === '' ? reason : body;
  const isRead = path.startsWith('/transaction/');
  if (status === 200 || status === 201)
    return expect.objectContaining({ kind: isRead ? 'found' : 'done' }) as unknown;
  if (!isRead) return { kind: 'refused', status, text };
  const names = decodeURIComponent(path.split('/')[2]?.split('?')[0] ?? '');
  if (status === 404 && text.includes(names)) return { kind: 'not-found' };
  return { kind: 'unknown', reason: `${status} status: ${text}` };
}

describe('what is read', () => {
  const at = (name: string, accept: string) =>
    recorded.http.find((one) => one.name === name && one.request.headers['Accept'] === accept)!;

  it('has what newer managers tell, and does without it', async () => {
    const newer = at('receive H0 2.1', 'application/vnd.tessera-2.1+json');
    const hash = Buffer.from(decodeURIComponent(newer.request.path.split('/')[2] ?? ''), 'base64');
    manager.answerWith(newer.response);
    const { managedParties, senderKey } = JSON.parse(newer.response.body ?? '') as Record<string, unknown>;
    const payload = {
      plaintext: Buffer.from('YGBgQFI=', 'base64'),
      privacyFlag: 0,
      affected: [],
      execHash: '',
    };
    expect(await client.receive(hash)).toEqual({
      kind: 'found',
      value: { ...payload, managedParties, sender: senderKey, privacyGroupId: undefined },
    });
    manager.answerWith(at('receive H0 json', 'application/json').response);
    expect(await client.receive(hash)).toMatchObject({
      kind: 'found',
      value: { ...payload, managedParties: undefined, sender: undefined },
    });
  });

  it.each([
    ['no JSON', 'payload'],
    ['no object', '[]'],
    ['a payload that is not base64', '{"payload":"("}'],
    ['an invalid flag', '{"payload":"","privacyFlag":4}'],
    ['a hash that is too short', '{"payload":"","affectedContractTransactions":["AAAA"]}'],
    ['a member twice', '{"payload":"","payload":"AAAA"}'],
    ['100 kB of brackets', '['.repeat(100_000)],
  ])('is unknown when it is %s', async (_, body) => {
    manager.answerWith({ status: 200, reason: 'OK', body });
    expect(await client.receive(Buffer.alloc(64))).toEqual({ kind: 'unknown', reason: expect.any(String) });
  });
});

describe('404', () => {
  it.each([
    ['of a proxy', '<html>Not Found</html>'],
    ['about another hash', `Message with hash ${'A'.repeat(86)}== was not found`],
    [
      'of a server that repeats the path',
      `Cannot GET /transaction/${Buffer.alloc(64, 7).toString('base64')}`,
    ],
    ['of an older manager that has no such path', 'HTTP 404 Not Found'],
    ['without a word', ''],
  ])('%s is not that a hash is not found', async (_, body) => {
    manager.answerWith({ status: 404, reason: 'Not Found', body });
    const answers = [client.receive(Buffer.alloc(64, 7)), client.mandatoryRecipients(Buffer.alloc(64, 7))];
    for (const answer of await Promise.all(answers))
      expect(answer).toEqual({ kind: 'unknown', reason: `404 status: ${body || 'Not Found'}` });
  });
});

it('what the manager is too old for is refused before it is asked', async () => {
  const before = manager.asked();
  const key = recorded.http[7]!;
  const { to = [] } = JSON.parse(key.request.body ?? '') as Body;
  const metadata = { ...metadataOf({}), privacyFlag: 2, mandatoryFor: to };
  expect(await client.send({ payload: Buffer.of(1), from: undefined, to, ...metadata })).toEqual({
    kind: 'refused',
    status: 501,
    text: 'private transaction manager does not support mandatory recipients',
  });
  expect(manager.asked()).toBe(before);
});
