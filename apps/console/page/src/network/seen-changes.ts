/** A node as the page last saw it. */
export interface SeenNode {
  readonly name: string;
  /** Undefined until it has answered or failed. */
  readonly isUp: boolean | undefined;
  readonly version: string | undefined;
  /** Ids of its peers and how people call them. */
  readonly peers: ReadonlyMap<string, string> | undefined;
}

export interface SeenChange {
  /** Differs between changes. */
  readonly id: number;
  /** In ms since the epoch. */
  readonly time: number;
  readonly node: string;
  readonly kind: 'lost' | 'back' | 'version' | 'peer gone' | 'peer new';
  /** The version that it has now, or the peer. */
  readonly what: string | undefined;
}

/** Changes that are kept; older ones are forgotten. */
export const MAX_SEEN = 200;

/** What a page saw while it was open, in its memory alone. */
export class SeenChanges {
  private readonly nodes = new Map<string, SeenNode>();
  private changes: readonly SeenChange[] = [];
  private count = 0;

  /** Newest first. */
  get all(): readonly SeenChange[] {
    return this.changes;
  }

  /**
   * Compares with what was seen before.
   * @param now - in ms since the epoch
   */
  look(nodes: readonly SeenNode[], now: number): void {
    const found: SeenChange[] = [];
    for (const node of nodes) {
      const before = this.nodes.get(node.name);
      for (const { kind, what } of before === undefined ? [] : differences(before, node))
        found.push({ id: ++this.count, time: now, node: node.name, kind, what });
      this.nodes.set(node.name, merged(before, node));
    }
    if (found.length > 0) this.changes = [...found.reverse(), ...this.changes].slice(0, MAX_SEEN);
  }
}

/** What a node does not say now, it says as before. */
function merged(before: SeenNode | undefined, node: SeenNode): SeenNode {
  return {
    name: node.name,
    isUp: node.isUp ?? before?.isUp,
    version: node.version ?? before?.version,
    peers: node.peers ?? before?.peers,
  };
}

function* differences(before: SeenNode, now: SeenNode): Generator<Pick<SeenChange, 'kind' | 'what'>> {
  if (before.isUp === true && now.isUp === false) yield { kind: 'lost', what: undefined };
  if (before.isUp === false && now.isUp === true) yield { kind: 'back', what: undefined };
  if (before.version !== undefined && now.version !== undefined && before.version !== now.version)
    yield { kind: 'version', what: now.version };
  if (before.peers === undefined || now.peers === undefined) return;
  for (const [id, name] of before.peers) if (!now.peers.has(id)) yield { kind: 'peer gone', what: name };
  for (const [id, name] of now.peers) if (!before.peers.has(id)) yield { kind: 'peer new', what: name };
}
