import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  /** Below `/v3/`. */
  readonly path: string;
  readonly body: Record<string, unknown>;
  readonly authorization: string | undefined;
}

/** Answers one request, well or badly. */
export type Play = (response: ServerResponse, request: SeenRequest) => void;

export const HEADER = { cluster_id: '77', member_id: '1', revision: '9', raft_term: '2' };

/** The HTTP gateway of an etcd, scripted by a test. */
export class FakeGateway {
  readonly requests: SeenRequest[] = [];
  private readonly server: Server;

  private constructor(private play: Play) {
    this.server = createServer((request, response) => void this.take(request, response));
  }

  static async open(play: Play): Promise<FakeGateway> {
    const gateway = new FakeGateway(play);
    await new Promise<void>((done) => gateway.server.listen(0, '127.0.0.1', done));
    return gateway;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** From the next request on. */
  plays(play: Play): void {
    this.play = play;
  }

  asked(path: string): SeenRequest[] {
    return this.requests.filter((request) => request.path === path);
  }

  breakAll(): void {
    this.server.closeAllConnections();
  }

  async close(): Promise<void> {
    const closed = new Promise((done) => this.server.close(done));
    this.server.closeAllConnections();
    await closed;
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const seen = {
      path: (request.url ?? '').replace(/^\/v3\//, ''),
      body: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>,
      authorization: request.headers.authorization,
    };
    this.requests.push(seen);
    this.play(response, seen);
  }
}

export function answers(body: unknown, status = 200): Play {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/**
 * As etcd's gateway says no.
 * @param code - of gRPC
 */
export function refuses(message: string, code: number, status: number): Play {
  return answers({ error: message, message, code }, status);
}

/** Takes the request and breaks the connection. */
export const breaks: Play = (response) => void response.socket?.destroy();

/** Takes the request and never answers. */
export const stalls: Play = () => {};

/** Says another thing depending on what is asked; the last one for ever. */
export function inTurn(...plays: readonly [Play, ...Play[]]): Play {
  let at = 0;
  return (response, request) => (plays[Math.min(at++, plays.length - 1)] as Play)(response, request);
}

export function byPath(plays: Readonly<Record<string, Play>>): Play {
  return (response, request) => (plays[request.path] ?? answers('Not Found', 404))(response, request);
}

export const noKeys = answers({ header: HEADER });
