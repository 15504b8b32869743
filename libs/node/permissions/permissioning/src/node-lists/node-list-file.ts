import { open } from 'node:fs/promises';
import { writeWhole } from '@tetrad/files';
import { EnodeError, parseEnode, type NodeId } from '@tetrad/node-peer';
import { TetradError, withoutByteOrderMark } from '@tetrad/types';

/** Largest list that is read. Units: bytes */
const MAX_BYTES = 4_000_000;
/** Maximum number of entries of a list, enough for all nodes of a network. */
export const MAX_LISTED_NODES = 10_000;

/** A list of nodes cannot be read as one; the message names the file. */
export class NodeListError extends TetradError {
  override readonly name = 'NodeListError';
  override readonly code = 'INVALID_NODE_LIST';
}

/** Whether a node is in the list from now on. */
export interface ListChange {
  readonly url: string;
  readonly isListed: boolean;
}

/**
 * A file with a JSON list of enode URLs, which operators write and status changes rewrite. An entry that is not an enode URL
 * stays in the file and matches no node, as in GoQuorum.
 *
 * States: unread → listed | missing
 */
export class NodeListFile {
  private urls: readonly string[] | undefined;
  private text: string | undefined;
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
   * @returns whether the listed nodes have changed
   * @throws NodeListError; as `node:fs` does
   */
  read(): Promise<boolean> {
    return this.inTurn(async () => {
      const [wasThere, before] = [this.exists, this.ids];
      await this.readAgain();
      return wasThere !== this.exists || !isSameSet(before, this.ids);
    });
  }

  /**
   * Lists nodes that are not listed and removes others, all in one pass; of several changes of one node the last counts.
   * @param options.orCreate - writes the file when it does not exist
   * @throws NodeListError when there is no room for all of them; nodes that have to go are removed all the same
   */
  change(changes: readonly ListChange[], { orCreate = false } = {}): Promise<void> {
    return this.inTurn(async () => {
      const urls = await this.readAgain();
      if (urls === undefined && !orCreate) return;
      const { changed, leftOut } = changeList(urls ?? [], changes);
      const isSame = changed.length === urls?.length && changed.every((url, place) => url === urls[place]);
      if (!isSame) await this.write(changed);
      if (leftOut > 0) throw new NodeListError(`${this.path}: more than ${MAX_LISTED_NODES} nodes`);
    });
  }

  private async write(urls: readonly string[]): Promise<void> {
    const text = `${JSON.stringify(urls, null, 1)}\n`;
    await writeWhole(this.path, text);
    this.take(urls, text);
  }

  /** The file is read every second, and parsed only when it has changed: it may have ten thousand entries. */
  private async readAgain(): Promise<readonly string[] | undefined> {
    const text = await readBounded(this.path);
    if (text !== undefined && text === this.text) return this.urls;
    const urls = text === undefined ? undefined : parseUrls(text, this.path);
    this.take(urls, text);
    return urls;
  }

  private take(urls: readonly string[] | undefined, text: string | undefined): void {
    this.urls = urls;
    this.text = text;
    this.ids = new Set((urls ?? []).flatMap((url) => idOf(url) ?? []));
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.turn.then(work);
    this.turn = result.catch(() => undefined);
    return result;
  }
}

function parseUrls(text: string, path: string): readonly string[] {
  let json: unknown;
  try {
    json = JSON.parse(withoutByteOrderMark(text));
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

/** @returns undefined when the file does not exist */
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

/** The list after the changes, and how many nodes there was no room for. */
function changeList(
  urls: readonly string[],
  changes: readonly ListChange[],
): { readonly changed: readonly string[]; readonly leftOut: number } {
  const wanted = new Map(changes.map((change) => [nameOf(change.url), change]));
  const kept = urls.filter((url) => wanted.get(nameOf(url))?.isListed ?? true);
  const there = new Set(kept.map(nameOf));
  const added = [...wanted].flatMap(([name, { url, isListed }]) =>
    isListed && !there.has(name) ? [url] : [],
  );
  const changed = [...kept, ...added].slice(0, Math.max(MAX_LISTED_NODES, kept.length));
  return { changed, leftOut: kept.length + added.length - changed.length };
}

/** Entries of one node may differ in their ports; what is not an enode URL has itself only. */
function nameOf(url: string): string {
  return idOf(url) ?? url;
}

function isSameSet(some: ReadonlySet<NodeId>, others: ReadonlySet<NodeId>): boolean {
  return some.size === others.size && [...some].every((id) => others.has(id));
}

function idOf(url: string): NodeId | undefined {
  try {
    return parseEnode(url).nodeId;
  } catch (error) {
    if (error instanceof EnodeError) return undefined;
    throw error;
  }
}
