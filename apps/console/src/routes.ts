import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  MAX_REQUEST_BYTES,
  NodeUnavailable,
  RefusedRequest,
  batchOf,
  parseCalls,
  type EndpointsFile,
  type NodeClient,
  type NodeEndpoint,
} from '@tetrad/console';
import { callerOf, type ServiceDefinition } from '@tetrad/service';
import type { Logger } from '@tetrad/types';

export interface ConsoleParts {
  readonly endpoints: EndpointsFile;
  readonly nodes: NodeClient;
  readonly logger: Pick<Logger, 'error'>;
}

/** Routes for authenticated callers: the network as the page sees it, and reads from its nodes. */
export function consoleRoutes(parts: ConsoleParts): NonNullable<ServiceDefinition['routes']> {
  const { endpoints } = parts;
  return (app) => {
    app.get('/api/network', (_request, response) => {
      const { chainId, nodes: all } = endpoints.current();
      const shown = all.map(({ name, address, hasManager }) => ({ name, address, hasManager }));
      sendJson(response, 200, JSON.stringify({ chainId, nodes: shown }));
    });
    app.post('/api/nodes/:name', (request, response) => {
      const node = endpoints.current().nodes.find(({ name }) => name === request.params.name);
      void answer(request, node, parts).then(({ status, body }) => sendJson(response, status, body));
    });
  };
}

interface Answer {
  readonly status: number;
  readonly body: string | Uint8Array;
}

/** Never fails: an error is an answer too. */
async function answer(
  request: IncomingMessage,
  node: NodeEndpoint | undefined,
  { nodes, logger }: ConsoleParts,
): Promise<Answer> {
  try {
    if (node === undefined) throw new RefusedRequest(404, 'the network has no node of that name');
    // Browsers send this type across origins only after they have asked, and a form cannot send it.
    if (request.headers['content-type'] !== 'application/json')
      throw new RefusedRequest(400, 'content-type: must be application/json');
    const caller = callerOf(request);
    const calls = parseCalls(await readBody(request), (method) => caller.may(method));
    return { status: 200, body: await nodes.ask(node, batchOf(calls)) };
  } catch (error) {
    if (error instanceof RefusedRequest) return failure(error.status, error.message);
    if (error instanceof NodeUnavailable) return failure(502, `${node?.name} ${error.message}`);
    logger.error('request failed', { node: node?.name, error });
    return failure(500, 'internal error');
  }
}

const failure = (status: number, error: string): Answer => ({ status, body: JSON.stringify({ error }) });

/** Fails: RefusedRequest for a body that is too long */
async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_REQUEST_BYTES)
      throw new RefusedRequest(413, `the body has more than ${MAX_REQUEST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function sendJson(response: ServerResponse, status: number, body: string | Uint8Array): void {
  if (response.destroyed) return;
  response
    .writeHead(status, {
      ...{ 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
      'X-Content-Type-Options': 'nosniff',
      ...(status === 413 ? { Connection: 'close' } : {}),
    })
    .end(body);
}
