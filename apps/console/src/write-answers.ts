import type { IncomingMessage } from 'node:http';
import {
  RefusedRequest,
  WRITES_OF_KIND,
  parseWrite,
  requestOf,
  type EndpointClient,
  type EndpointsFile,
  type PassedWrites,
  type WritableKind,
  type Write,
  type WriteOutcome,
} from '@tetrad/console';
import { callerOf, type Caller } from '@tetrad/service';
import type { Logger } from '@tetrad/types';
import { assertJson, failure, readBody, type Answer } from './answers.js';
import { assertOwnPage } from './own-page.js';

export interface WriteParts {
  readonly endpoints: EndpointsFile;
  /** Each shows the write token for its kind of service; undefined where the console has none. */
  readonly writers: Readonly<Record<WritableKind, EndpointClient | undefined>>;
  readonly passed: PassedWrites;
  readonly logger: Pick<Logger, 'error' | 'info' | 'warn'>;
}

/** The service that a write is for. */
export interface WriteAddress {
  readonly kind: WritableKind;
  readonly name: string;
  /** Undefined where the network has none. */
  readonly endpoint: { readonly rpc: string } | undefined;
}

type Writers = WriteParts['writers'];

/** The methods that a caller may have written, by the kind of service. */
export function writesOf(caller: Caller, writers: Writers): Readonly<Record<WritableKind, string[]>> {
  const of = (kind: WritableKind) =>
    writers[kind] === undefined || !caller.subject
      ? []
      : Object.keys(WRITES_OF_KIND[kind]).filter((method) => caller.mayByName(method));
  return { node: of('node'), signer: of('signer') };
}

/** Passes one write on, once. Never fails: an error is an answer too. */
export async function answerWrite(
  request: IncomingMessage,
  address: WriteAddress,
  parts: WriteParts,
): Promise<Answer> {
  const caller = callerOf(request);
  const who = { subject: caller.subject?.slice(0, MAX_SUBJECT), target: address.name.slice(0, MAX_SUBJECT) };
  try {
    assertOwnPage(request);
    assertJson(request);
    const { client, endpoint } = open(caller, address, parts);
    const write = await readWrite(request, address, parts);
    parts.passed.pass(write.id);
    const line = { ...who, method: write.method, chainId: write.chainId, id: write.id };
    // Before it leaves: a process that is killed here has still said what it sent.
    parts.logger.info('write passed on', line);
    const outcome = await client.write(endpoint, requestOf(write));
    parts.logger.info('write ended', { ...line, outcome: outcome.kind, ...shownIn(outcome) });
    return answerOf(outcome, address);
  } catch (error) {
    if (error instanceof RefusedRequest) {
      parts.logger.warn('write refused', { ...who, reason: error.message });
      return failure(error.status, error.message);
    }
    parts.logger.error('write failed', { ...who, error });
    return failure(500, 'internal error');
  }
}

/** Characters of a name in the log. */
const MAX_SUBJECT = 200;

/** @throws RefusedRequest for a caller without a name, a console without the token, a network without the service */
function open(caller: Caller, { kind, name, endpoint }: WriteAddress, { writers }: WriteParts) {
  if (!caller.subject) throw new RefusedRequest(403, 'authorization: a write needs a token with a subject');
  const client = writers[kind];
  if (client === undefined)
    throw new RefusedRequest(403, `this console was started without --${kind}-write-token-file`);
  if (endpoint === undefined) throw new RefusedRequest(404, `the network has no ${name}`);
  return { client, endpoint };
}

/** @throws RefusedRequest */
async function readWrite(
  request: IncomingMessage,
  { kind, name }: WriteAddress,
  { endpoints }: WriteParts,
): Promise<Write> {
  const caller = callerOf(request);
  return parseWrite(await readBody(request), {
    service: name,
    chainId: endpoints.current().chainId,
    methods: WRITES_OF_KIND[kind],
    may: (method) => caller.mayByName(method),
  });
}

function answerOf(outcome: WriteOutcome, { kind, name }: WriteAddress): Answer {
  const service = kind === 'node' ? name : `the ${name}`;
  switch (outcome.kind) {
    case 'done':
      return { status: 200, body: JSON.stringify({ result: outcome.result }) };
    case 'refused':
      return { status: 200, body: JSON.stringify({ refusal: outcome.message }) };
    case 'unsent':
      return failure(502, `${service} ${outcome.message}`);
    case 'unknown':
      return failure(504, `${service}: ${outcome.message}`);
  }
}

const TRANSACTION = /^0x[0-9a-f]{64}$/;

/** A result may hold what is private; the hash of a transaction does not. */
function shownIn(outcome: WriteOutcome): object {
  if (outcome.kind !== 'done') return { reason: outcome.message.slice(0, MAX_SUBJECT) };
  const { result } = outcome;
  return result !== null && TRANSACTION.test(result) ? { transaction: result } : {};
}
