import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  EndpointUnavailable,
  MAX_REQUEST_BYTES,
  METHODS_OF_KIND,
  RefusedRequest,
  assertReadsAllAccounts,
  batchOf,
  parseCalls,
  shownRollupAnswer,
  type EndpointClient,
  type EndpointKind,
  type EndpointsFile,
  type NetworkEndpoints,
} from '@tetrad/console';
import { callerOf, type ServiceDefinition } from '@tetrad/service';
import type { Logger } from '@tetrad/types';

export interface ConsoleParts {
  readonly endpoints: EndpointsFile;
  /** Each shows the token for its kind of service. */
  readonly clients: Readonly<Record<EndpointKind, EndpointClient>>;
  /** The claim that binds a token to accounts of the rollup. */
  readonly accountsClaim: string;
  readonly logger: Pick<Logger, 'error'>;
}

/** Routes for authenticated callers: the network as the page sees it, and reads from its services. */
export function consoleRoutes(parts: ConsoleParts): NonNullable<ServiceDefinition['routes']> {
  const { endpoints } = parts;
  return (app) => {
    app.get('/api/network', (_request, response) => {
      sendJson(response, 200, JSON.stringify(shownNetwork(endpoints.current())));
    });
    app.post('/api/nodes/:name', (request, response) => {
      const node = endpoints.current().nodes.find(({ name }) => name === request.params.name);
      const asked: Asked = { kind: 'node', name: node?.name ?? 'node of that name', endpoint: node };
      void answer(request, asked, parts).then(({ status, body }) => sendJson(response, status, body));
    });
    for (const kind of ['rollup', 'signer', 'wallet'] as const)
      app.post(`/api/${kind}`, (request, response) => {
        const asked: Asked = { kind, name: NAMES[kind], endpoint: endpoints.current()[kind] };
        void answer(request, asked, parts).then(({ status, body }) => sendJson(response, status, body));
      });
  };
}

/** Names and roles alone: addresses of services stay on the server. */
function shownNetwork({ chainId, nodes, rollup, signer, wallet }: NetworkEndpoints): object {
  return {
    chainId,
    nodes: nodes.map(({ name, address, hasManager }) => ({ name, address, hasManager })),
    rollup: rollup === undefined ? null : { contract: rollup.contract ?? null },
    ...{ hasSigner: signer !== undefined, hasWallet: wallet !== undefined },
  };
}

const NAMES = { rollup: 'rollup operator', signer: 'signer', wallet: 'wallet' } as const;

/** The service that a request is for. */
interface Asked {
  readonly kind: EndpointKind;
  readonly name: string;
  /** Undefined where the network has none. */
  readonly endpoint: { readonly rpc: string } | undefined;
}

interface Answer {
  readonly status: number;
  readonly body: string | Uint8Array;
}

/** Never fails: an error is an answer too. */
async function answer(request: IncomingMessage, asked: Asked, parts: ConsoleParts): Promise<Answer> {
  const { kind, name, endpoint } = asked;
  try {
    if (endpoint === undefined) throw new RefusedRequest(404, `the network has no ${name}`);
    const batch = await readBatch(request, kind, parts);
    const body = await parts.clients[kind].ask(endpoint, batch);
    return { status: 200, body: kind === 'rollup' ? shownRollupAnswer(body) : body };
  } catch (error) {
    if (error instanceof RefusedRequest) return failure(error.status, error.message);
    if (error instanceof EndpointUnavailable)
      return failure(502, `${kind === 'node' ? name : `the ${name}`} ${error.message}`);
    parts.logger.error('request failed', { service: name, error });
    return failure(500, 'internal error');
  }
}

/** Fails: RefusedRequest */
async function readBatch(
  request: IncomingMessage,
  kind: EndpointKind,
  { accountsClaim }: Pick<ConsoleParts, 'accountsClaim'>,
): Promise<string> {
  // Browsers send this type across origins only after they have asked, and a form cannot send it.
  if (request.headers['content-type'] !== 'application/json')
    throw new RefusedRequest(400, 'content-type: must be application/json');
  const caller = callerOf(request);
  if (kind === 'rollup') assertReadsAllAccounts(caller.claims, accountsClaim);
  const body = await readBody(request);
  return batchOf(parseCalls(body, METHODS_OF_KIND[kind], (method) => caller.may(method)));
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
