import { z } from 'zod';

/** What a node says of itself. */
export interface NodeState {
  readonly chainId: bigint;
  readonly number: bigint;
  readonly hash: string;
  /** Transactions in its pool that can be mined, and that wait behind a nonce gap. */
  readonly pending: bigint;
  readonly queued: bigint;
  readonly peers: bigint;
  readonly isSyncing: boolean;
}

/** A node that did not answer as it must, and why. */
export interface NodeFault {
  readonly fault: string;
}

/** Maximum size in bytes of an answer: of a block without its transactions, with the hashes of 50,000. */
const MAX_ANSWER_BYTES = 4 * 1_048_576;

const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,32}$/)
  .transform((text) => BigInt(text));

const CALLS = {
  eth_chainId: { params: [], result: quantity },
  eth_getBlockByNumber: {
    params: ['latest', false],
    result: z.object({ number: quantity, hash: z.string().regex(/^0x[0-9a-f]{64}$/) }),
  },
  txpool_status: { params: [], result: z.object({ pending: quantity, queued: quantity }) },
  net_peerCount: { params: [], result: quantity },
  eth_syncing: { params: [], result: z.union([z.literal(false), z.looseObject({})]) },
} as const;
type Method = keyof typeof CALLS;

const envelope = z.object({
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});

/**
 * Asks a node for its head, its pool and its peers, one after the other.
 * @returns its answers, or why it has none
 */
export async function askNode(url: URL, timeoutMs: number): Promise<NodeState | NodeFault> {
  try {
    const ask = <Name extends Method>(name: Name) => call(url, name, timeoutMs);
    const chainId = await ask('eth_chainId');
    // The pool before the head: what is mined between the two is in neither, and the second round sees its block.
    const { pending, queued } = await ask('txpool_status');
    const isSyncing = (await ask('eth_syncing')) !== false;
    const peers = await ask('net_peerCount');
    const { number, hash } = await ask('eth_getBlockByNumber');
    return { chainId, number, hash, pending, queued, peers, isSyncing };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

async function call<Name extends Method>(
  url: URL,
  method: Name,
  timeoutMs: number,
): Promise<z.infer<(typeof CALLS)[Name]['result']>> {
  const { params, result } = CALLS[method];
  const text = await post(url, { jsonrpc: '2.0', id: 1, method, params }, { method, timeoutMs });
  const answer = envelope.safeParse(parseJson(text));
  if (!answer.success) throw new Error(`${method}: the answer is not JSON-RPC`);
  if (answer.data.error !== undefined)
    throw new Error(`${method}: ${answer.data.error.message.slice(0, 200)}`);
  const parsed = result.safeParse(answer.data.result);
  if (parsed.success) return parsed.data as z.infer<(typeof CALLS)[Name]['result']>;
  throw new Error(`${method}: the result makes no sense: ${parsed.error.issues[0]?.path.join('.') ?? ''}`);
}

async function post(
  url: URL,
  body: object,
  { method, timeoutMs }: { readonly method: string; readonly timeoutMs: number },
): Promise<string> {
  const plain = new URL(url);
  [plain.username, plain.password] = ['', ''];
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const login =
    url.username === '' ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
  try {
    const answer = await fetch(plain, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...login },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return await readBody(answer);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError')
      throw new Error(`${method}: no answer within ${timeoutMs} ms`);
    const { cause, message } = error as Error;
    throw new Error(`${method}: ${cause instanceof Error ? cause.message || message : message}`);
  }
}

async function readBody(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new Error(`the answer exceeds ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
