import { open } from 'node:fs/promises';
import { writeWhole } from '@tetrad/files';
import { EnodeError, parseEnode, type NodeId } from '@tetrad/node-peer';
import { TetradError } from '@tetrad/types';

/** Largest list that is read. Units: bytes */
const MAX_BYTES = 4_000_000;
/** Maximum number of entries of a list, enough for all nodes of a network. */
export const MAX_LISTED_NODES = 10_000;

/** A list of nodes cannot be read as one; the message names the file. */
export class NodeListError extends TetradError {
  override readonly name = 'NodeListError';
  override readonly code = 'INVALID_NODE_LIST';
}

/**
 * A file with a JSON list of enode URLs, which operators write and status changes rewrite. An entry that is not an enode URL
 * stays in the file and matches no node, as in GoQuorum.
 *
 * States: unread → listed | missing
 */
export class NodeListFile {
  private urls: readonly string[] | undefined;
  private ids: ReadonlySet<NodeId> = new Set();
  /** Changes and readings, one after the other. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(readonly path: string) {}

  /** Whether the file existed when it was last read. */
  get exists(): boolean {
    return this.urls !== undefined;
  }

  has(nodeId: NodeId): boolean {
    return this.ids.has(nodeId);
  }

  /**
   * Reads the file again; when it cannot be read, the last list stays in force.
   *
   * Out:   whether the listed nodes have changed
   * Fails: NodeListError; as `node:fs` does
   */
  read(): Promise<boolean> {
    return this.inTurn(async () => this.take(await readUrls(this.path)));
  }

  /** Appends the node's URL unless it is listed. Out: false when the file does not exist; it is not created */
  append(url: string): Promise<boolean> {
    const nodeId = idOf(url);
    return this.rewrite((urls) => (urls.some((one) => isOf(one, url, nodeId)) ? urls : [...urls, url]));
  }

  /** As `append`, and creates the file when it does not exist. */
  appendOrCreate(url: string): Promise<boolean> {
    return this.inTurn(async () => {
      if ((await readUrls(this.path)) === undefined) await this.write([]);
    }).then(() => this.append(url));
  }

  /** Removes every URL of the node. Out: false when the file does not exist */
  remove(url: string): Promise<boolean> {
    const nodeId = idOf(url);
    return this.rewrite((urls) => urls.filter((one) => !isOf(one, url, nodeId)));
  }

  private rewrite(change: (urls: readonly string[]) => readonly string[]): Promise<boolean> {
    return this.inTurn(async () => {
      const urls = await readUrls(this.path);
      this.take(urls);
      if (urls === undefined) return false;
      const changed = change(urls);
      if (changed.length === urls.length) return true;
      if (changed.length > MAX_LISTED_NODES)
        throw new NodeListError(`${this.path}: more than ${MAX_LISTED_NODES} nodes`);
      await this.write(changed);
      return true;
    });
  }

  private async write(urls: readonly string[]): Promise<void> {
    await writeWhole(this.path, `${JSON.stringify(urls, null, 1)}\n`);
    this.take(urls);
  }

  private take(urls: readonly string[] | undefined): boolean {
    const ids = new Set((urls ?? []).flatMap((url) => idOf(url) ?? []));
    const isSame = ids.size === this.ids.size && [...ids].every((id) => this.ids.has(id));
    const wasThere = this.exists;
    this.urls = urls;
    this.ids = ids;
    return !isSame || wasThere !== this.exists;
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.turn.then(work);
    this.turn = result.catch(() => undefined);
    return result;
  }
}

async function readUrls(path: string): Promise<readonly string[] | undefined> {
  const text = await readBounded(path);
  if (text === undefined) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new NodeListError(`${path}: ${error instanceof Error ? error.message : 'not JSON'}`);
  }
  if (!isTextList(json)) throw new NodeListError(`${path}: must be a JSON list of enode URLs`);
  if (json.length > MAX_LISTED_NODES) throw new NodeListError(`${path}: more than ${MAX_LISTED_NODES} nodes`);
  return json;
}

function isTextList(json: unknown): json is readonly string[] {
  return Array.isArray(json) && json.every((one) => typeof one === 'string');
}

/** Out: undefined when the file does not exist */
async function readBounded(path: string): Promise<string | undefined> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new NodeListError(`${path}: cannot be read (${error.code})`);
  });
  if (file === undefined) return undefined;
  try {
    if ((await file.stat()).size > MAX_BYTES)
      throw new NodeListError(`${path}: larger than ${MAX_BYTES} bytes`);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

/** Entries of one node may differ in their ports. */
function isOf(entry: string, url: string, nodeId: NodeId | undefined): boolean {
  return entry === url || (nodeId !== undefined && idOf(entry) === nodeId);
}

function idOf(url: string): NodeId | undefined {
  try {
    return parseEnode(url).nodeId;
  } catch (error) {
    if (error instanceof EnodeError) return undefined;
    throw error;
  }
}
