import type { ExecutionContext, World } from '@tetrad/node-evm';
import type { MetadataSource, PrivacySwitches, StorageRoots } from '@tetrad/node-private-state';

/** Public and private state at the head, for a dry run of a private transaction. */
export interface HeadWorlds {
  readonly context: ExecutionContext;
  /** Both worlds share one journal, and are discarded afterwards. */
  readonly publicWorld: World;
  readonly privateWorld: World;
  readonly metadata: MetadataSource;
  readonly roots: StorageRoots;
}

/** The head of the chain, with this node's private state at it. */
export interface PrivateHead {
  /** Privacy features in force in the next block. */
  switches(): PrivacySwitches;
  /**
   * Runs the work on the worlds at the head, within the limits of `ExecutionGate`.
   * @throws RequestError PRIVATE_STATE_NOT_AVAILABLE when private state does not reach the head in time; as
   *   `ExecutionGate`
   */
  run<T>(work: (worlds: HeadWorlds) => Promise<T>, signal?: AbortSignal): Promise<T>;
}
