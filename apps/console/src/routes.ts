import type { IncomingMessage } from 'node:http';
import {
  EndpointUnavailable,
  METHODS_OF_KIND,
  RefusedRequest,
  assertReadsAllAccounts,
  batchOf,
  parseCalls,
  shownRollupAnswer,
  type AbiFolder,
  type EndpointClient,
  type EndpointKind,
  type NetworkEndpoints,
} from '@tetrad/console';
import { callerOf, type Caller, type ServiceDefinition } from '@tetrad/service';
import { assertJson, failure, readBody, sendJson, type Answer } from './answers.js';
import { answerSources, type SourceParts } from './source-answers.js';
import { answerWrite, writesOf, type WriteAddress, type WriteParts } from './write-answers.js';

export interface ConsoleParts extends WriteParts, SourceParts {
  /** Each shows the token for its kind of service. */
  readonly clients: Readonly<Record<EndpointKind, EndpointClient>>;
  /** ABI files of the operator; undefined without a folder of them. */
  readonly abis: AbiFolder | undefined;
  /** The claim that binds a token to accounts of the rollup. */
  readonly accountsClaim: string;
}

/** Routes for authenticated callers: the network as the page sees it, reads from its services, and single writes. */
export function consoleRoutes(parts: ConsoleParts): NonNullable<ServiceDefinition['routes']> {
  const { endpoints } = parts;
  const nodeOf = (name: string) => endpoints.current().nodes.find((node) => node.name === name);
  return (app) => {
    app.get('/api/network', (request, response) => {
      const shown = shownNetwork(endpoints.current(), callerOf(request), parts);
      sendJson(response, { status: 200, body: JSON.stringify(shown) });
    });
    app.get('/api/abis', (_request, response) => {
      sendJson(response, { status: 200, body: JSON.stringify({ files: parts.abis?.current() ?? [] }) });
    });
    app.post('/api/nodes/:name', (request, response) => {
      const node = nodeOf(request.params.name);
      const asked: Asked = { kind: 'node', name: node?.name ?? 'node of that name', endpoint: node };
      void answer(request, asked, parts).then((all) => sendJson(response, all));
    });
    app.post('/api/nodes/:name/sources/:address', (request, response) => {
      const { name, address } = request.params;
      const asked = { name, address, endpoint: nodeOf(name) };
      void answerSources(request, asked, parts).then((all) => sendJson(response, all));
    });
    for (const kind of ['rollup', 'signer', 'wallet'] as const)
      app.post(`/api/${kind}`, (request, response) => {
        const asked: Asked = { kind, name: NAMES[kind], endpoint: endpoints.current()[kind] };
        void answer(request, asked, parts).then((all) => sendJson(response, all));
      });
    app.post('/api/nodes/:name/write', (request, response) => {
      const { name } = request.params;
      const address: WriteAddress = { kind: 'node', name, endpoint: nodeOf(name) };
      void answerWrite(request, address, parts).then((all) => sendJson(response, all));
    });
    app.post('/api/signer/write', (request, response) => {
      const address: WriteAddress = { kind: 'signer', name: 'signer', endpoint: endpoints.current().signer };
      void answerWrite(request, address, parts).then((all) => sendJson(response, all));
    });
  };
}

/** Names and roles alone: addresses of services stay on the server. With the writes that the caller's token names. */
function shownNetwork(
  { chainId, nodes, labels, rollup, signer, wallet }: NetworkEndpoints,
  caller: Caller,
  { compiler, writers }: Pick<ConsoleParts, 'compiler' | 'writers'>,
): object {
  return {
    chainId,
    nodes: nodes.map(({ name, address, hasManager }) => ({ name, address, hasManager })),
    labels,
    rollup: rollup === undefined ? null : { contract: rollup.contract ?? null },
    hasSigner: signer !== undefined,
    hasWallet: wallet !== undefined,
    verifiesSources: compiler !== undefined,
    writes: writesOf(caller, writers),
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
    parts.logger.error('request failed', { target: name, error });
    return failure(500, 'internal error');
  }
}

/** @throws RefusedRequest */
async function readBatch(
  request: IncomingMessage,
  kind: EndpointKind,
  { accountsClaim }: Pick<ConsoleParts, 'accountsClaim'>,
): Promise<string> {
  assertJson(request);
  const caller = callerOf(request);
  if (kind === 'rollup') assertReadsAllAccounts(caller.claims, accountsClaim);
  const body = (await readBody(request)).toString('utf8');
  return batchOf(parseCalls(body, METHODS_OF_KIND[kind], (method) => caller.may(method)));
}
