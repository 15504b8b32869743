import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Faults of one request. */
export type RequestFault =
  | 'none'
  /** The connection breaks before the request is handled. */
  | 'refused'
  /** The request is handled, and the connection breaks before the answer. */
  | 'dropped'
  | 'delayed'
  /** The request is handled twice; the second answer is returned. */
  | 'twice'
  /** The connection breaks, and the request is handled after the next one. */
  | 'late'
  /** The request is handled, and again after the next one. */
  | 'again'
  | 'failing'
  /** 404 from a server that is not a manager, which echoes the path. */
  | 'strange'
  /** Bytes are changed: of the body when it has one that `garble` knows, else of the answer. */
  | 'garbled'
  /** The connection breaks in the middle of the answer. */
  | 'truncated';

interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly type: string;
  readonly body: Buffer;
}

export interface LinkOptions {
  /** URL of the server behind the link, which may change with a restart; ends with `/`. */
  readonly target: () => string;
  /** Whether the request is one that meets faults; others pass. */
  readonly isCounted: (request: { readonly path: string }) => boolean;
  /** The fault of the next request that is counted. */
  readonly draw: () => RequestFault;
  readonly garble?: (body: Buffer) => Buffer;
}

const UNFORWARDED = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive']);

/** An HTTP port in front of a manager, where every request may meet a fault. Which one depends on its number only. */
export class FaultyLink {
  /** While set, every connection is broken, and nothing is counted. */
  isDown = false;
  /** While set, everything passes, and nothing is counted. */
  isHealed = false;
  /** How often each fault was met. */
  readonly met = new Map<RequestFault, number>();
  private readonly waiting: Request[] = [];

  private constructor(
    private readonly server: Server,
    private readonly options: LinkOptions,
  ) {}

  static async open(options: LinkOptions): Promise<FaultyLink> {
    const server = createServer((request, response) => {
      link.handle(request, response).catch(() => request.socket.destroy());
    });
    const link = new FaultyLink(server, options);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return link;
  }

  /** Without a trailing slash. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming);
    if (this.isDown) return void incoming.socket.destroy();
    const isCounted = !this.isHealed && this.options.isCounted(request);
    const fault = isCounted ? this.options.draw() : 'none';
    if (isCounted) this.met.set(fault, (this.met.get(fault) ?? 0) + 1);
    const overdue = isCounted ? this.waiting.splice(0) : [];
    const answer = await this.answer(request, fault);
    for (const one of overdue) await this.forward(one).catch(() => undefined);
    if (answer === undefined) return void incoming.socket.destroy();
    await write(response, answer, fault === 'truncated');
  }

  /** @returns undefined without an answer */
  private async answer(request: Request, fault: RequestFault): Promise<Answer | undefined> {
    switch (fault) {
      case 'refused':
        return undefined;
      case 'late':
        this.waiting.push(request);
        return undefined;
      case 'dropped':
        await this.forward(request);
        return undefined;
      case 'failing':
        return { status: 500, text: '', type: 'text/plain', body: Buffer.from('out of memory') };
      case 'strange':
        return { status: 404, text: '', type: 'text/html', body: noSuchPage(request) };
      case 'garbled':
        return this.garbled(request);
      case 'twice':
        await this.forward(request);
        break;
      case 'again':
        this.waiting.push(request);
        break;
      case 'delayed':
        await pause(5);
    }
    return this.forward(request);
  }

  private async garbled(request: Request): Promise<Answer> {
    const { garble } = this.options;
    if (garble !== undefined) return this.forward({ ...request, body: garble(request.body) });
    const answer = await this.forward(request);
    if (answer.status >= 400) return answer;
    // Nothing that is read as JSON or base64.
    return { ...answer, body: answer.body.map((byte, at) => (at % 7 === 3 ? 0x21 : byte)) as Buffer };
  }

  private async forward({ method, path, headers, body }: Request): Promise<Answer> {
    const response = await fetch(new URL(path, this.options.target()), {
      method,
      headers,
      ...(body.length === 0 ? {} : { body: Uint8Array.from(body) }),
    });
    return {
      status: response.status,
      text: response.statusText,
      type: response.headers.get('content-type') ?? 'text/plain',
      body: Buffer.from(await response.arrayBuffer()),
    };
  }
}

const noSuchPage = ({ method, path }: Request) =>
  Buffer.from(`<p>Cannot ${method} ${decodeURIComponent(path)}`);

async function readRequest(incoming: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
    UNFORWARDED.has(name) || value === undefined ? [] : [[name, String(value)] as const],
  );
  const { method = 'GET', url: path = '/' } = incoming;
  return { method, path, headers: Object.fromEntries(headers), body: Buffer.concat(chunks) };
}

async function write(response: ServerResponse, answer: Answer, isTruncated: boolean): Promise<void> {
  const { status, text, type, body } = answer;
  response.writeHead(status, text, { 'content-type': type, 'content-length': body.length });
  if (!isTruncated) return void response.end(body);
  // The half has to be on its way before the connection breaks.
  await new Promise<void>((sent) => response.write(body.subarray(0, body.length / 2), () => sent()));
  response.destroy();
}
