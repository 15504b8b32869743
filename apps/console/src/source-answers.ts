import type { IncomingMessage } from 'node:http';
import {
  EndpointUnavailable,
  MAX_INPUT_BYTES,
  RefusedRequest,
  batchOf,
  verifySources,
  type EndpointClient,
  type EndpointKind,
  type SourceCompiler,
} from '@tetrad/console';
import { callerOf } from '@tetrad/service';
import type { Logger } from '@tetrad/types';
import { assertJson, failure, readBody, type Answer } from './answers.js';

export interface SourceParts {
  readonly clients: Readonly<Record<EndpointKind, EndpointClient>>;
  /** Undefined where the operator has switched it off. */
  readonly compiler: SourceCompiler | undefined;
  readonly logger: Pick<Logger, 'error' | 'info' | 'warn'>;
}

/** The account whose code is compared, and the node that has it. */
export interface SourcesAsked {
  readonly name: string;
  readonly address: string;
  readonly endpoint: { readonly rpc: string } | undefined;
}

/** What the sources in the request say of the code of an account, for callers who may read the code. Never fails. */
export async function answerSources(
  request: IncomingMessage,
  asked: SourcesAsked,
  parts: SourceParts,
): Promise<Answer> {
  try {
    const { compiler } = parts;
    if (compiler === undefined) throw new RefusedRequest(404, 'this console verifies no sources');
    assertJson(request);
    if (!callerOf(request).may('eth_getCode'))
      throw new RefusedRequest(403, 'your token does not permit eth_getCode');
    const text = (await readBody(request, MAX_INPUT_BYTES)).toString('utf8');
    const code = await codeOf(asked, parts);
    return { status: 200, body: JSON.stringify(await verifySources({ code, text }, compiler)) };
  } catch (error) {
    if (error instanceof RefusedRequest) return failure(error.status, error.message);
    if (error instanceof EndpointUnavailable) return failure(502, `${asked.name} ${error.message}`);
    parts.logger.error('request failed', { target: asked.name, error });
    return failure(500, 'internal error');
  }
}

/** @throws RefusedRequest for an invalid address, and for an account that the node refuses to show */
async function codeOf({ name, address, endpoint }: SourcesAsked, parts: SourceParts): Promise<string> {
  if (endpoint === undefined) throw new RefusedRequest(404, 'the network has no node of that name');
  if (!/^0x[0-9a-f]{40}$/i.test(address)) throw new RefusedRequest(400, 'address: is no address');
  const batch = batchOf([{ method: 'eth_getCode', params: [address, 'latest'] }]);
  const answered = JSON.parse(
    Buffer.from(await parts.clients.node.ask(endpoint, batch)).toString('utf8'),
  ) as unknown;
  const [{ result } = {}] = (Array.isArray(answered) ? answered : []) as { readonly result?: unknown }[];
  if (typeof result === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(result)) return result;
  throw new RefusedRequest(404, `${name} does not show the code of the account`);
}
