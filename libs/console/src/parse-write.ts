import { FramingError, decodeParams, readJson, writeJson, type MethodTable } from '@tetrad/rpc';
import { z } from 'zod';
import { RefusedRequest } from './calls.js';
import { unknownMember } from './unknown-member.js';

/** Levels of a request: itself, parameters, a transaction, its access list, an entry, its slots. */
const MAX_DEPTH = 8;
/** Characters of an error that come from the request. */
const MAX_NAMED = 200;

const writeSchema = z.strictObject({
  /** Made by the page for each confirmation. */
  id: z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 hex digits'),
  chainId: z.int().min(1),
  service: z.string().max(100),
  method: z.string().max(100),
  params: z.array(z.unknown()).max(20),
});

/** One write, as a person confirmed it. */
export type Write = z.output<typeof writeSchema>;

/** What a write has to be for. */
export interface WriteTarget {
  /** Name of the node, or `signer`. */
  readonly service: string;
  readonly chainId: number;
  readonly methods: MethodTable;
  /** Whether the caller's token names the method. */
  readonly may: (method: string) => boolean;
}

/**
 * The write of a request body: one JSON object `{id, chainId, service, method, params}`, which is the very text that was confirmed.
 * @throws RefusedRequest, which names the field
 */
export function parseWrite(body: Uint8Array, target: WriteTarget): Write {
  const write = readWrite(body);
  const { service, chainId, method } = write;
  if (service !== target.service) throw refused(400, `service: this is the address of ${target.service}`);
  if (chainId !== target.chainId)
    throw refused(
      409,
      `chainId: the network has chain id ${target.chainId}, and the write is for ${chainId}`,
    );
  if (!Object.hasOwn(target.methods, method))
    throw refused(403, `method: the console does not send ${method}`);
  if (!target.may(method)) throw refused(403, `method: your token does not name ${method}`);
  assertParams(write, target);
  return write;
}

function readWrite(body: Uint8Array): Write {
  const parsed = writeSchema.safeParse(parseJson(body));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join('.') ?? '';
  throw refused(400, path === '' ? `write: ${issue?.message ?? ''}` : `${path}: ${issue?.message ?? ''}`);
}

function parseJson(body: Uint8Array): unknown {
  try {
    return readJson(body, MAX_DEPTH);
  } catch (error) {
    if (error instanceof FramingError) throw refused(400, error.message);
    throw error;
  }
}

/** The shapes are those of libs/api, without what they tolerate: the page writes them as they are documented. */
function assertParams({ method, params }: Write, { methods }: WriteTarget): void {
  const definition = methods[method];
  if (definition === undefined) throw new TypeError(`no shape of ${method}`);
  try {
    decodeParams({ ...definition, accepts: [] }, params);
  } catch (error) {
    if (error instanceof FramingError) throw refused(400, error.message);
    throw error;
  }
  for (const [index, { name, schema }] of definition.params.entries()) {
    const unknown = unknownMember(schema, params[index], name);
    if (unknown !== undefined) throw refused(400, `invalid params: ${unknown}: is not known`);
  }
}

function refused(status: RefusedRequest['status'], message: string): RefusedRequest {
  return new RefusedRequest(status, message.length > MAX_NAMED ? `${message.slice(0, MAX_NAMED)}…` : message);
}

/** The request for the service, written anew: it cannot read another one than was checked here. */
export function requestOf({ method, params }: Write): string {
  return writeJson({ jsonrpc: '2.0', id: 0, method, params });
}
