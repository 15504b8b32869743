import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { splitPushes } from '../payload/push-group.js';
import { PeerClient, PeerUnreachableError } from './peer-client.js';
import { GROUPS_HEADER, PushGroups } from './push-groups.js';

interface Asked {
  readonly path: string;
  readonly body: Buffer;
}

/** A manager with scripted answers that records the requests. */
class Peer {
  readonly asked: Asked[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(answer: (asked: Asked, response: ServerResponse) => void): Promise<Peer> {
    const server = createServer((request, response) => {
      void readAll(request).then((body) => {
        const asked = { path: request.url ?? '', body };
        peer.asked.push(asked);
        answer(asked, response);
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const peer = new Peer(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return peer;
  }

  get paths(): string[] {
    return this.asked.map(({ path }) => path);
  }

  /** Payloads in the order in which they came, however they travelled. */
  get payloads(): string[] {
    return this.asked.flatMap(({ path, body }) =>
      (path === '/pushes' ? splitPushes(body) : [body]).map((one) => one.toString()),
    );
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const TAKEN = { status: 201, text: '' };
const takesGroups = { [GROUPS_HEADER]: '1' };
// More than a group holds.
const names = Array.from({ length: 100 }, (_, index) => `payload ${index}`);
const bytes = (name: string) => Buffer.from(name);

let peer: Peer;
let client: PeerClient;
afterEach(async () => {
  await client.close();
  peer.stop();
});

async function open(answer: (asked: Asked, response: ServerResponse) => void): Promise<PushGroups> {
  peer = await Peer.start(answer);
  // On a busy machine each push waits for all the others; what is tested is not how long.
  client = new PeerClient({ timeoutMs: 600_000 });
  return new PushGroups(client);
}

const pushAll = (pushes: PushGroups) => Promise.all(names.map((name) => pushes.push(peer.url, bytes(name))));

describe('pushes to a manager that takes groups', () => {
  it('travel together once it has said so, and each has its own status', async () => {
    const pushes = await open(({ path, body }, response) => {
      if (path === '/push') return response.writeHead(201, takesGroups).end();
      const answers = splitPushes(body).map((one) =>
        one.toString().endsWith('7') ? '500' : `201 ${one.length}`,
      );
      return response.writeHead(200).end(answers.join(','));
    });
    expect(await pushes.push(peer.url, bytes('first'))).toEqual({ status: 201, text: '' });
    // One that was alone in its turn went by itself, and was answered so.
    for (const [index, answer] of (await pushAll(pushes)).entries()) {
      const name = names[index] as string;
      const together = name.endsWith('7')
        ? { status: 500, text: '' }
        : { status: 201, text: `${name.length}` };
      const alone = { status: 201, text: '' };
      expect([together, alone]).toContainEqual(answer);
    }
    expect(peer.payloads.sort()).toEqual(['first', ...names].sort());
    // 100 payloads, at most 64 in a group, and a group is sent before it is full.
    expect(peer.paths.filter((path) => path === '/pushes').length).toBeLessThan(names.length / 2);
    for (const { body, path } of peer.asked)
      if (path === '/pushes') expect(splitPushes(body).length).toBeLessThanOrEqual(64);
  });

  it('go by themselves when they are large', async () => {
    const pushes = await open((_, response) => response.writeHead(201, takesGroups).end());
    await pushes.push(peer.url, bytes('first'));
    const large = new Uint8Array(300_000);
    const answers = await Promise.all([pushes.push(peer.url, large), pushes.push(peer.url, large)]);
    expect(answers).toEqual([TAKEN, TAKEN]);
    expect(peer.paths).toEqual(['/push', '/push', '/push']);
  });

  it('all fail when it cannot be reached', async () => {
    const pushes = await open(({ path }, response) => {
      if (path === '/push') response.writeHead(201, takesGroups).end();
      else response.destroy();
    });
    await pushes.push(peer.url, bytes('first'));
    const outcomes = await Promise.allSettled(names.map((name) => pushes.push(peer.url, bytes(name))));
    const reasons = outcomes.map((one) => (one.status === 'rejected' ? (one.reason as Error) : undefined));
    // A payload without others was sent by itself.
    const failed = reasons.filter((reason) => reason instanceof PeerUnreachableError);
    const alone = peer.paths.filter((path) => path === '/push').length - 1;
    expect(failed).toHaveLength(names.length - alone);
  });
});

describe('pushes to another manager', () => {
  it('go one by one, as it knows no groups', async () => {
    const pushes = await open((_, response) => response.writeHead(201).end());
    await pushes.push(peer.url, bytes('first'));
    expect(await pushAll(pushes)).toEqual(names.map(() => TAKEN));
    expect(new Set(peer.paths)).toEqual(new Set(['/push']));
  });

  it.each([
    ['does not know the path', 404, ''],
    ['answers in other words', 200, 'welcome'],
    ['answers for fewer', 200, '201'],
  ])('that took the place of one that does, and %s, still get there', async (_, status, text) => {
    const pushes = await open(({ path }, response) => {
      if (path === '/push') response.writeHead(201, takesGroups).end();
      else response.writeHead(status).end(text);
    });
    await pushes.push(peer.url, bytes('first'));
    expect(await pushAll(pushes)).toEqual(names.map(() => TAKEN));
    const singles = peer.asked.filter(({ path }) => path === '/push').map(({ body }) => body.toString());
    expect(singles.sort()).toEqual(['first', ...names].sort());
    const groups = peer.paths.filter((path) => path === '/pushes').length;
    await pushAll(pushes);
    expect(peer.paths.filter((path) => path === '/pushes')).toHaveLength(groups);
  });
});
