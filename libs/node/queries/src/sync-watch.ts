import type { Clock } from '@tetrad/types';

/** How often the state of catching up is looked at while somebody wants to hear of it. */
const LOOK_MS = 500;

/** How far a node that catches up has come, as heights. */
export interface SyncProgress {
  readonly startingBlock: number;
  readonly currentBlock: number;
  readonly highestBlock: number;
}

/** As geth writes it: JSON numbers; `false` when the node is level with its peers. */
type SyncStatus = false | { readonly syncing: true; readonly status: SyncProgress };

type Listener = (status: SyncStatus) => void;

/** Tells how the node catches up with its peers, as geth's `syncing` subscription does. */
export class SyncWatch {
  /** Listener → the height it was told of last; -1 for a node that is level. */
  private readonly told = new Map<Listener, number | undefined>();
  private cancel: () => void = () => undefined;

  constructor(
    private readonly parts: {
      readonly peers: { syncProgress(): SyncProgress | undefined };
      readonly clock: Clock;
    },
  ) {}

  /** Tells the state as it is in a moment, and then what becomes of it; the result ends that. */
  onChange(listener: Listener): () => void {
    this.told.set(listener, undefined);
    this.lookIn(0);
    return () => {
      this.told.delete(listener);
      if (this.told.size === 0) this.cancel();
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
    for (const [listener, last] of this.told) {
      if (last === height) continue;
      this.told.set(listener, height);
      listener(status);
    }
    if (this.told.size > 0) this.lookIn(LOOK_MS);
  }
}
