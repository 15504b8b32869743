/** A call of a node, as the console's server takes it. */
export interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What a node says of a refusal for programs. */
interface Because {
  readonly reason?: string;
  /** Up to which block the node has what was asked for. */
  readonly blockNumber?: number;
  /** Hex that an execution reverted with. */
  readonly reverted?: string;
}

/** The node serves no method of that name. Source: JSON-RPC 2.0 */
export const METHOD_NOT_FOUND = -32601;

/** What became of one call of a batch. */
export type Outcome =
  | { readonly kind: 'done'; readonly value: unknown }
  | ({ readonly kind: 'refused'; readonly code: number; readonly message: string } & Because);

/** Why a node did not answer a call of a namespace that it need not serve; for people. */
export function whyRefused(outcome: Outcome | undefined, namespace: string): string {
  if (outcome?.kind !== 'refused') return 'the node left out an answer';
  if (outcome.code === METHOD_NOT_FOUND)
    return `the node does not serve the methods of the namespace ${namespace}`;
  return outcome.message;
}

/** The server of the console, or the node behind it, did not answer; the text is for people. */
export class Failure extends Error {
  override readonly name = 'Failure';

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The caller has to show a token, or another one. */
export const needsToken = (error: unknown) => error instanceof Failure && error.status === 401;

/** In memory only: no storage, no URL, no other page can read it. It is gone when the page is closed. */
let token: string | undefined;

export function showToken(text: string): void {
  token = text.trim() === '' ? undefined : text.trim();
}

export const authorization = (): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

/**
 * A document of the console's server.
 * @throws Failure
 */
export async function getJson(path: string, signal?: AbortSignal): Promise<unknown> {
  return read(await send(path, { headers: authorization(), signal: signal ?? null }));
}

/**
 * What the console's server answers to a JSON text.
 * @throws Failure
 */
export async function postJson(path: string, body: string, signal?: AbortSignal): Promise<unknown> {
  const headers = { ...authorization(), 'content-type': 'application/json' };
  return read(await send(path, { method: 'POST', headers, body, signal: signal ?? null }));
}

/**
 * Calls of one node in one request.
 * @returns outcomes in the order of the calls
 * @throws Failure when there is no answer to all of them
 */
export async function callNode(
  node: string,
  calls: readonly Call[],
  signal?: AbortSignal,
): Promise<readonly Outcome[]> {
  return callAt(`/api/nodes/${encodeURIComponent(node)}`, calls, signal);
}

/** As `callNode`, of the network's rollup operator, signer or wallet. */
export function callService(
  kind: 'rollup' | 'signer' | 'wallet',
  calls: readonly Call[],
  signal?: AbortSignal,
): Promise<readonly Outcome[]> {
  return callAt(`/api/${kind}`, calls, signal);
}

async function callAt(
  path: string,
  calls: readonly Call[],
  signal: AbortSignal | undefined,
): Promise<readonly Outcome[]> {
  return outcomesOf(await postJson(path, JSON.stringify(calls), signal), calls.length);
}

/**
 * The value of one call.
 * @throws Failure with the text of the node
 */
export async function ask(node: string, call: Call, signal?: AbortSignal): Promise<unknown> {
  const [outcome] = await callNode(node, [call], signal);
  return valueOf(outcome);
}

/** @throws Failure with the text of the node */
export function valueOf(outcome: Outcome | undefined): unknown {
  if (outcome?.kind === 'done') return outcome.value;
  throw new Failure(200, outcome?.message ?? 'the node left out an answer');
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw new Failure(0, 'the console does not answer');
  }
}

async function read(response: Response): Promise<unknown> {
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok && body !== undefined) return body;
  const { error } = (body ?? {}) as { readonly error?: unknown };
  throw new Failure(response.status, typeof error === 'string' ? error : `HTTP status ${response.status}`);
}

interface Answer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly data?: unknown };
}

function outcomesOf(body: unknown, count: number): readonly Outcome[] {
  if (!Array.isArray(body)) {
    const { error } = body as Answer;
    throw new Failure(200, typeof error?.message === 'string' ? error.message : 'the node sent no batch');
  }
  const byId = new Map((body as readonly Answer[]).map((answer) => [answer.id, answer]));
  return Array.from({ length: count }, (_, id) => outcomeOf(byId.get(id)));
}

function outcomeOf(answer: Answer | undefined): Outcome {
  if (answer !== undefined && answer.error === undefined) return { kind: 'done', value: answer.result };
  const { code, message, data } = answer?.error ?? {};
  const { reason, blockNumber } = (data ?? {}) as {
    readonly reason?: unknown;
    readonly blockNumber?: unknown;
  };
  return {
    kind: 'refused',
    code: typeof code === 'number' ? code : 0,
    message: typeof message === 'string' ? message : 'the node left out an answer',
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(typeof blockNumber === 'number' ? { blockNumber } : {}),
    ...(typeof data === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(data) ? { reverted: data } : {}),
  };
}
