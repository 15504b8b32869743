import type { ExecutionContext, World } from '@tetrad/node-evm';
import type { MetadataSource, PrivacySwitches, StorageRoots } from '@tetrad/node-private-state';

/** Both states at the head, to try a private transaction in. */
export interface PrivateStage {
  readonly context: ExecutionContext;
  /** Both worlds have one journal, and are thrown away. */
  readonly publicWorld: World;
  readonly privateWorld: World;
  readonly metadata: MetadataSource;
  readonly roots: StorageRoots;
}

/** What sending asks of the chain and of this node's private state. */
export interface PrivateStages {
  /** What of privacy is in force in the next block. */
  switches(): PrivacySwitches;
  /**
   * Runs the work on the head, within the bounds of executions of clients.
   *
   * Fails: RequestError PRIVATE_STATE_NOT_AVAILABLE when private state does not reach the head in time; of the bounds
   */
  run<T>(work: (stage: PrivateStage) => Promise<T>, signal?: AbortSignal): Promise<T>;
}
