import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request that went over a link. */
export interface Passed {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Headers of the answer, as the receiver sent them; empty for one that was dropped. */
  readonly answer: Readonly<Record<string, string>>;
}

/** What a host in between does with what passes. */
export interface Interference {
  /** Whether a request is lost; the asker hears 502. */
  drops?(path: string): boolean;
  /** Whether the receiver has no such path, as it seems to the asker. */
  lacks?(path: string): boolean;
  /** Holds a request back until it resolves. */
  holds?(path: string): Promise<void>;
  request?(headers: Record<string, string>): void;
  answer?(headers: Record<string, string>): void;
}

/** Headers that are of a connection, and of the body of `fetch`. */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'host', 'content-length', 'transfer-encoding']);

/** An HTTP proxy between managers, who cannot tell it from the one behind it; it reads and changes what passes. */
export class LinkBetween {
  /** Requests with announcements, in their order. */
  readonly announcements: Passed[] = [];
  /** How many messages between parties passed, or were dropped. */
  messages = 0;
  /** How many requests with several of them. */
  messageGroups = 0;
  /** Paths that were asked for. */
  readonly paths = new Set<string>();
  interference: Interference = {};
  target = '';

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<LinkBetween> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const link = new LinkBetween(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    server.on('request', async (request: IncomingMessage, response) => {
      const { status, headers, body } = await link.pass(request).catch(() => NOTHING);
      response.writeHead(status, headers).end(body);
    });
    return link;
  }

  async end(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async pass(request: IncomingMessage): Promise<typeof NOTHING> {
    const { method = 'GET', url: path = '/' } = request;
    const headers = plain(request.headers);
    const body = await buffer(request);
    this.paths.add(path);
    if (path === '/partymessage') this.messages += 1;
    if (path === '/partymessages') this.messageGroups += 1;
    const note = (answer: Passed['answer']) => {
      if (method === 'POST' && path === '/partyinfo')
        this.announcements.push({ path, headers: { ...headers }, body, answer });
    };
    await this.interference.holds?.(path);
    if (this.interference.drops?.(path) === true) {
      note({});
      return NOTHING;
    }
    if (this.interference.lacks?.(path) === true) return { ...NOTHING, status: 404 };
    const sent = { ...headers };
    this.interference.request?.(sent);
    const carried = method === 'GET' ? {} : { body: Uint8Array.from(body) };
    const answer = await fetch(new URL(path, this.target), { method, headers: sent, ...carried });
    const answered = plain(Object.fromEntries(answer.headers));
    note({ ...answered });
    this.interference.answer?.(answered);
    return { status: answer.status, headers: answered, body: Buffer.from(await answer.arrayBuffer()) };
  }
}

const NOTHING = { status: 502, headers: {} as Record<string, string>, body: Buffer.alloc(0) };

function plain(headers: IncomingHttpHeaders | Record<string, string>): Record<string, string> {
  const all = Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name));
  return Object.fromEntries(all.map(([name, value]) => [name, String(value)]));
}
