import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { FakeGateway, HEADER, answers, type Play } from './fake-gateway.js';
import { ManualClock } from './manual-clock.js';
import { TestClients, failureOf } from './test-clients.js';

const clients = new TestClients();
afterEach(() => clients.close());

async function askedOf(play: Play, maxBytes = 10_000) {
  const gateway = clients.closing(await FakeGateway.open(play));
  return clients.open([gateway.url]).range({ key: 'a', rangeEnd: 'b', maxBytes });
}

const KV = { key: 'YQ==', value: 'Yg==', create_revision: '3', mod_revision: '5', version: '2', lease: '-8' };
const withKv = (change: object) => answers({ header: HEADER, kvs: [{ ...KV, ...change }], count: '1' });

describe('an answer', () => {
  it('is read into typed values, without unknown members', async () => {
    const answer = await askedOf(
      answers({ header: { ...HEADER, new: 1 }, kvs: [KV], count: '7', more: true, later: [] }),
    );
    expect(answer).toEqual({
      entries: [
        {
          key: Buffer.from('a'),
          value: Buffer.from('b'),
          lease: -8n,
          createRevision: 3n,
          modRevision: 5n,
          version: 2n,
        },
      ],
      count: 7n,
      more: true,
      revision: 9n,
      clusterId: 77n,
    });
  });

  it.each<[string, Play]>([
    ['garbage', answers('not JSON')],
    ['half of it', answers('{"header":{"cluster_id":"77","revision":"9"},"kvs":[')],
    ['nothing', answers('')],
    ['a list', answers([])],
    ['a key twice', answers('{"header":{"cluster_id":"77","revision":"9"},"kvs":[],"kvs":[]}')],
    ['a key twice, once escaped', answers('{"header":{"cluster_id":"77","cluster\\u005fid":"78"}}')],
    ['two answers', answers(`${JSON.stringify({ header: HEADER })}{}`)],
    ['bytes that are not text', (response) => void response.end(Buffer.from([0x22, 0xff, 0x22]))],
    ['no header', answers({ kvs: [] })],
    ['no cluster', answers({ header: { revision: '9' } })],
    ['no revision', answers({ header: { cluster_id: '77' } })],
    ['a negative revision', answers({ header: { ...HEADER, revision: '-9' } })],
    ['a revision beyond 64 bits', answers({ header: { ...HEADER, revision: '9223372036854775808' } })],
    ['a revision as a number', answers({ header: { ...HEADER, revision: 9 } })],
    ['a revision with a zero before it', answers({ header: { ...HEADER, revision: '09' } })],
    ['a revision with a space', answers({ header: { ...HEADER, revision: '9 ' } })],
    ['an entry without a revision', withKv({ mod_revision: undefined })],
    ['a value that is not base64', withKv({ value: 'Yg' })],
    ['a value with bits too many', withKv({ value: 'Yh==' })],
    ['a key that is null', withKv({ key: null })],
    ['nesting without end', answers(`{"header":${'['.repeat(5_000)}`)],
    ['a status without a reason', answers('Not Found', 404)],
  ])('that is %s is malformed', async (_, play) => {
    const error = await failureOf(askedOf(play));
    expect(error.kind).toBe('malformed');
    expect(error.message).toMatch(/^http:\/\/127\.0\.0\.1:\d+ answers what etcd does not: /);
  });

  it('that is larger than the limit is refused before it is received', async () => {
    let isBroken = false;
    const endless: Play = (response) => {
      response.on('close', () => (isBroken = true));
      const more = () => {
        while (response.write(' '.repeat(10_000)) && !isBroken);
        if (!isBroken) response.once('drain', more);
      };
      more();
    };
    expect(await failureOf(askedOf(endless))).toMatchObject({ kind: 'too-large' });
    await until(() => isBroken);
  });

  it('of exactly that size is accepted', async () => {
    const text = JSON.stringify({ header: HEADER });
    expect((await askedOf(answers(text), text.length)).revision).toBe(9n);
    expect((await failureOf(askedOf(answers(text), text.length - 1))).kind).toBe('too-large');
  });

  it('that breaks off is a failure', async () => {
    const half: Play = (response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"header":', () => response.socket?.destroy());
    };
    expect((await failureOf(askedOf(half))).kind).toBe('unavailable');
  });

  it('that trickles for ever is given up', async () => {
    const drips: Play = (response) => {
      const timer = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(timer));
    };
    const gateway = clients.closing(await FakeGateway.open(drips));
    const clock = new ManualClock();
    const client = clients.open([gateway.url], { clock });
    const failure = failureOf(client.range({ key: 'a', maxBytes: 10_000_000 }));
    await until(() => gateway.requests.length === 1);
    clock.advance(60_000);
    const error = await failure;
    expect(error).toMatchObject({ kind: 'unavailable' });
    expect(error.message).toContain('no answer within ');
  });

  it('shows operators one line, whatever etcd says', async () => {
    const message = `first\nsecond\u001b[31m ${'x'.repeat(5_000)}`;
    const error = await failureOf(askedOf(answers({ message, code: 3 }, 400)));
    expect(error.kind).toBe('rejected');
    expect(error.message).toMatch(/: first second \[31m x+…$/);
    expect(error.message.length).toBeLessThan(600);
  });
});

describe('a lease', () => {
  async function opened(play: Play) {
    return clients.open([clients.closing(await FakeGateway.open(play)).url]);
  }

  it('that has ended is not kept alive', async () => {
    const client = await opened(answers({ result: { header: HEADER, ID: '12' } }));
    expect(await client.keepAlive(12n)).toBeUndefined();
  });

  it('reports its remaining time', async () => {
    const client = await opened(answers({ result: { header: HEADER, ID: '12', TTL: '5' } }));
    expect(await client.keepAlive(12n)).toBe(5);
    expect((await failureOf(client.keepAlive(13n))).kind).toBe('malformed');
  });

  it('is not kept alive by an error in the form of a stream', async () => {
    const error = { grpc_code: 14, http_code: 503, message: 'etcdserver: no leader' };
    const client = await opened(answers({ error }, 503));
    expect((await failureOf(client.keepAlive(12n))).kind).toBe('no-leader');
  });

  it('without an id is malformed', async () => {
    const client = await opened(answers({ header: HEADER, TTL: '5' }));
    expect((await failureOf(client.grantLease(5))).kind).toBe('malformed');
  });
});
