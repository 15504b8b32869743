import { writeJson, type RpcId } from '@tetrad/rpc';
import { unusableAnswer } from './client-failure.js';
import { parseNodeAnswer, readAnswerBody, type ForwardedResponse } from './node-answer.js';
import { BATCH_CALLS, BATCH_CHARACTERS } from './params.js';

/** For how long a client is asked one by one after a batch came to nothing. */
const SINGLY_MS = 60_000;

/** HTTP statuses of a batch that was rejected unread: bad request, method, too large, media type, too many. */
const UNREAD_STATUSES = new Set([400, 405, 413, 415, 429]);

/**
 * JSON-RPC codes of a batch that was refused before any of it was done: those of the specification for what is no
 * request, and that of EIP-1474 for a limit.
 */
const UNREAD_CODES = new Set([-32700, -32600, -32601, -32602, -32005]);

/** Headers of a caller, as the client gets them. */
export type OwnHeaders = Readonly<Record<string, string | string[]>>;

/**
 * Posts a body to the client's JSON-RPC.
 * @throws as `clientFailure`
 */
export type Post = (body: string, headers: OwnHeaders) => Promise<ForwardedResponse>;

/** A JSON-RPC request without its id. */
export interface ClientRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

interface Call {
  /** JSON of the request without its id and its closing brace. */
  readonly opening: string;
  readonly id: RpcId;
  readonly done: (answer: ForwardedResponse) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Calls that are made in the same turn of the event loop under the same headers: they travel in one batch, in their
 * order. A call alone travels as it is.
 *
 * When the client takes no batch, each is made by itself. A batch that it may have begun is not made again, as what is
 * said to a transaction that arrives twice may look as if another one had its nonce (docs/adr/0024).
 */
export class GatheredCalls {
  /** Of this turn, by their headers. */
  private waiting = new Map<string, { readonly headers: OwnHeaders; readonly calls: Call[] }>();
  private singlyUntilMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly post: Post) {}

  /**
   * @returns the answer as if the call had been made alone, under its own id
   * @throws as `clientFailure`; unusableAnswer
   */
  ask({ method, params }: ClientRequest, id: RpcId, headers: OwnHeaders): Promise<ForwardedResponse> {
    return new Promise((done, fail) => {
      if (this.waiting.size === 0) setImmediate(() => this.leave());
      const opening = writeJson({ jsonrpc: '2.0', method, params }).slice(0, -1);
      const call = { opening, id, done, fail };
      const key = JSON.stringify(headers);
      const together = this.waiting.get(key);
      if (together === undefined) this.waiting.set(key, { headers, calls: [call] });
      else together.calls.push(call);
    });
  }

  private leave(): void {
    const { waiting } = this;
    this.waiting = new Map();
    for (const { headers, calls } of waiting.values())
      for (const batch of inBatches(calls)) void this.send(batch, headers);
  }

  /**
   * Never rejects: errors are reported to the calls.
   */
  private async send(calls: readonly Call[], headers: OwnHeaders): Promise<void> {
    if (calls.length === 1 || performance.now() < this.singlyUntilMs) return this.sendSingly(calls, headers);
    try {
      const response = await this.post(bodyOf(calls), headers);
      const answers = answersById(response.body);
      if (answers !== undefined) return tellEach(calls, response, answers);
      this.singlyUntilMs = performance.now() + SINGLY_MS;
      if (isUnread(response)) this.sendSingly(calls, headers);
      else failAll(calls, unusableAnswer());
    } catch (error) {
      this.singlyUntilMs = performance.now() + SINGLY_MS;
      failAll(calls, error);
    }
  }

  private sendSingly(calls: readonly Call[], headers: OwnHeaders): void {
    for (const { opening, id, done, fail } of calls)
      this.post(underId(opening, id), headers).then(done, fail);
  }
}

function bodyOf(calls: readonly Call[]): string {
  return `[${calls.map(({ opening }, index) => underId(opening, index)).join(',')}]`;
}

function failAll(calls: readonly Call[], error: unknown): void {
  for (const { fail } of calls) fail(error);
}

function underId(opening: string, id: RpcId): string {
  return `${opening},"id":${writeJson(id)}}`;
}

/** In their order, each within the bounds of a batch; a call that is too large for them is alone. */
function* inBatches(calls: readonly Call[]): Generator<readonly Call[]> {
  let [batch, characters]: [Call[], number] = [[], 0];
  for (const call of calls) {
    characters += call.opening.length;
    if (batch.length === BATCH_CALLS || (batch.length > 0 && characters > BATCH_CHARACTERS)) {
      yield batch;
      [batch, characters] = [[], call.opening.length];
    }
    batch.push(call);
  }
  yield batch;
}

/** The answers to a batch by the ids in it; undefined when it was not answered as a batch. */
function answersById(body: Uint8Array): ReadonlyMap<unknown, object> | undefined {
  const said = readAnswerBody(body);
  if (!Array.isArray(said)) return undefined;
  const objects = said.filter((one): one is { id?: unknown } => typeof one === 'object' && one !== null);
  return new Map(objects.map((one) => [one.id, one]));
}

/** Whether a response that does not answer the batch shows that no call of it was executed. */
function isUnread({ status, body }: ForwardedResponse): boolean {
  const said = parseNodeAnswer(body);
  return said.kind === 'error' ? UNREAD_CODES.has(said.error.code) : UNREAD_STATUSES.has(status);
}

function tellEach(
  calls: readonly Call[],
  response: ForwardedResponse,
  answers: ReadonlyMap<unknown, object>,
): void {
  calls.forEach(({ id, done, fail }, index) => {
    const answer = answers.get(index);
    if (answer === undefined) fail(unusableAnswer());
    else done({ ...response, body: Buffer.from(writeJson({ ...answer, id })) });
  });
}
