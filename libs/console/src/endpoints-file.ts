import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { OperatorError, withoutByteOrderMark, type Clock } from '@tetrad/types';
import { z } from 'zod';

/** Bytes of the file; one of a thousand nodes has half of them. */
const MAX_BYTES = 1_048_576;
/** How often the file is looked at, at most. */
const LOOK_EVERY_MS = 1_000;
/** Nodes that the page can ask. */
const MAX_NODES = 1_000;
/** Addresses that the operator gives a name. */
const MAX_LABELS = 5_000;
/** Of one of these names: at most 180 bytes. */
const MAX_LABEL_CHARACTERS = 60;

const url = z.string().refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
  message: 'must be an http or https URL',
});

/** Of the wallet's methods; two slashes would name another host. */
const path = z
  .string()
  .max(200)
  .regex(/^(?:\/[\w.-]+)+$/, 'must be a path');
/** A line of text. */
const label = z
  .string()
  .trim()
  .min(1)
  .max(MAX_LABEL_CHARACTERS)
  .regex(/^\P{Cc}*$/u, 'must have no control characters');
const contract = z.string().regex(/^0x[0-9a-f]{40}$/i, 'must be an address');

const schema = z.object({
  chainId: z.number().int().min(1),
  nodes: z
    .array(
      z.object({
        name: z.string().min(1).max(100),
        rpc: url,
        address: z.string().max(100),
        ptm: z.string().nullable(),
      }),
    )
    .min(1)
    .max(MAX_NODES),
  labels: z
    .record(contract, label)
    .refine((labels) => Object.keys(labels).length <= MAX_LABELS, { message: `more than ${MAX_LABELS}` })
    .nullish(),
  rollup: z.object({ rpc: url, contract: contract.nullish() }).nullish(),
  signer: z.object({ rpc: url }).nullish(),
  wallet: z.object({ rpc: url, path }).nullish(),
});

/** A node that the console asks. */
export interface NodeEndpoint {
  readonly name: string;
  readonly rpc: string;
  /** Account of its node key, by which validators are known. */
  readonly address: string;
  readonly hasManager: boolean;
}

/** A name of an address. */
export interface AddressLabel {
  readonly address: string;
  readonly label: string;
}

/** What the console takes of an endpoints file: nothing that is a secret. */
export interface NetworkEndpoints {
  readonly chainId: number;
  readonly nodes: readonly NodeEndpoint[];
  /** What the operator calls addresses. */
  readonly labels: readonly AddressLabel[];
  /** Absent where the network has none. */
  readonly rollup: RollupEndpoint | undefined;
  readonly signer: ServiceEndpoint | undefined;
  readonly wallet: ServiceEndpoint | undefined;
}

/** Another service that the console asks. */
export interface ServiceEndpoint {
  readonly rpc: string;
}

export interface RollupEndpoint extends ServiceEndpoint {
  /** On the chain of the nodes. */
  readonly contract: string | undefined;
}

/** The endpoints file of the network. While a newer one cannot be read, the last one counts. */
export class EndpointsFile {
  private known: NetworkEndpoints;
  private version: string;
  private lookedMs: number;

  /** @throws OperatorError with the path and what is wrong */
  constructor(
    private readonly path: string,
    private readonly clock: Pick<Clock, 'now'>,
  ) {
    this.lookedMs = clock.now();
    this.version = versionOf(path);
    this.known = read(path);
  }

  current(): NetworkEndpoints {
    const now = this.clock.now();
    if (Math.abs(now - this.lookedMs) < LOOK_EVERY_MS) return this.known;
    this.lookedMs = now;
    try {
      const version = versionOf(this.path);
      if (version !== this.version) {
        this.known = read(this.path);
        this.version = version;
      }
    } catch {
      // The network is stopped: what it was is still what people want to see, with nodes that do not answer.
    }
    return this.known;
  }
}

/** @throws OperatorError */
function versionOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new OperatorError(`--endpoints-file: ${path} does not exist`);
  if (!stats.isFile() || stats.size > MAX_BYTES) throw tooLarge(path);
  return [stats.ino, stats.size, stats.mtimeMs].join();
}

/** @throws OperatorError that names the member */
function read(path: string): NetworkEndpoints {
  const parsed = schema.safeParse(parseJson(path));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new OperatorError(
      `--endpoints-file: ${path}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`,
    );
  }
  return endpointsOf(parsed.data, path);
}

/** @throws OperatorError for a name that two nodes, or two addresses, have */
function endpointsOf(
  { chainId, nodes, labels, rollup, signer, wallet }: z.output<typeof schema>,
  path: string,
): NetworkEndpoints {
  if (new Set(nodes.map(({ name }) => name)).size < nodes.length)
    throw new OperatorError(`--endpoints-file: ${path}: nodes: two have the same name`);
  const named = Object.entries(labels ?? {}).map(([address, label]) => ({ address, label }));
  if (new Set(named.map(({ address }) => address.toLowerCase())).size < named.length)
    throw new OperatorError(`--endpoints-file: ${path}: labels: an address is there twice`);
  if (new Set(named.map(({ label }) => label.toLowerCase())).size < named.length)
    throw new OperatorError(`--endpoints-file: ${path}: labels: two addresses have the same label`);
  return {
    chainId,
    nodes: nodes.map(({ ptm, ...node }) => ({ ...node, hasManager: ptm !== null })),
    labels: named,
    rollup: rollup ? { rpc: rollup.rpc, contract: rollup.contract ?? undefined } : undefined,
    signer: signer ?? undefined,
    wallet: wallet ? { rpc: new URL(wallet.path, wallet.rpc).href } : undefined,
  };
}

function parseJson(path: string): unknown {
  try {
    return JSON.parse(withoutByteOrderMark(readText(path)));
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    // The message of the parser quotes the text, which holds keys.
    throw new OperatorError(
      `--endpoints-file: ${path} ${error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'}`,
    );
  }
}

/** It may have grown since it was looked at. */
function readText(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(MAX_BYTES + 1);
    let length = 0;
    for (let read = 1; read > 0; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null);
    if (length > MAX_BYTES) throw tooLarge(path);
    return bytes.toString('utf8', 0, length);
  } finally {
    closeSync(file);
  }
}

const tooLarge = (path: string) =>
  new OperatorError(`--endpoints-file: ${path} is not a file of at most ${MAX_BYTES} bytes`);
