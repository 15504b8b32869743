import { z } from 'zod';

/** Calls of one request. */
export const MAX_CALLS = 100;
/** Bytes of a request. */
export const MAX_REQUEST_BYTES = 262_144;

const callSchema = z.object({ method: z.string().max(100), params: z.array(z.unknown()).max(20) });
const requestSchema = z.array(callSchema).min(1).max(MAX_CALLS);

/** A call that a page asks for. */
export interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A request that the console does not pass on; the text is the page's. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';

  constructor(
    readonly status: 400 | 403 | 404 | 409 | 413 | 429,
    message: string,
  ) {
    super(message);
  }
}

/**
 * The calls of a request body: a JSON array of `{method, params}`. They are written anew for the service, so that it cannot read
 * another method than the one that was checked here.
 * @param methods - those that are let through to the service
 * @param may - whether the caller's token has the permission for a method
 * @throws RefusedRequest, which names the call
 */
export function parseCalls(
  body: string,
  methods: ReadonlySet<string>,
  may: (method: string) => boolean,
): readonly Call[] {
  const parsed = requestSchema.safeParse(parseJson(body));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new RefusedRequest(400, `calls.${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  }
  for (const [index, { method }] of parsed.data.entries()) {
    if (!methods.has(method))
      throw new RefusedRequest(403, `calls.${index}.method: the console does not call ${method}`);
    if (!may(method))
      throw new RefusedRequest(403, `calls.${index}.method: your token does not permit ${method}`);
  }
  return parsed.data;
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new RefusedRequest(400, 'the body is not JSON');
  }
}

/** The JSON-RPC batch for the service; ids are positions. */
export function batchOf(calls: readonly Call[]): string {
  return JSON.stringify(calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params })));
}
