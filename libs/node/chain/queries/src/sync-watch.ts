import type { Clock } from '@tetrad/types';

/** How often the sync state is checked while it has listeners. */
const LOOK_MS = 500;

/** Progress of a node that catches up, as heights. */
export interface SyncProgress {
  readonly startingBlock: number;
  readonly currentBlock: number;
  readonly highestBlock: number;
}

/** As geth writes it: JSON numbers; `false` when the node is in sync with its peers. */
type SyncStatus = false | { readonly syncing: true; readonly status: SyncProgress };

type Listener = (status: SyncStatus) => void;

/** Notifies how the node catches up with its peers, as geth's `syncing` subscription does. */
export class SyncWatch {
  /** Listener → the height it was notified of last; -1 for a node in sync. */
  private readonly notified = new Map<Listener, number | undefined>();
  private cancel: () => void = () => undefined;

  constructor(
    private readonly parts: {
      readonly peers: { syncProgress(): SyncProgress | undefined };
      readonly clock: Clock;
    },
  ) {}

  /** Notifies the current state, and then its changes; the result stops it. */
  onChange(listener: Listener): () => void {
    this.notified.set(listener, undefined);
    this.lookIn(0);
    return () => {
      this.notified.delete(listener);
      if (this.notified.size === 0) this.cancel();
    };
  }

  private lookIn(ms: number): void {
    this.cancel();
    this.cancel = this.parts.clock.schedule(ms, () => this.look());
  }

  private look(): void {
    const progress = this.parts.peers.syncProgress();
    const height = progress?.currentBlock ?? -1;
    const status: SyncStatus = progress === undefined ? false : { syncing: true, status: { ...progress } };
    for (const [listener, last] of this.notified) {
      if (last === height) continue;
      this.notified.set(listener, height);
      listener(status);
    }
    if (this.notified.size > 0) this.lookIn(LOOK_MS);
  }
}
