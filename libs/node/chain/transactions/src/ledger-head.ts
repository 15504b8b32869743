import { stageOf, type StateDatabase } from '@tetrad/node-execution';
import type { Ledger } from '@tetrad/node-ledger';
import { DryRunFailedError } from './private/dry-run-payload.js';
import type { HeadWorlds, PrivateHead } from './private/head-worlds.js';
import {
  StoredMetadata,
  storedRoots,
  type PrivacySwitches,
  type PrivateStateView,
} from '@tetrad/node-private-state';
import { dryRunError, type ExecutionGate } from '@tetrad/node-simulation';
import type { PrivateStateStore } from '@tetrad/node-store';

export interface LedgerHeadParts {
  readonly ledger: Pick<Ledger, 'contextOf' | 'executor' | 'head' | 'worldAt'>;
  readonly own: {
    readonly states: Pick<StateDatabase, 'openWorld'>;
    readonly store: PrivateStateStore;
    readonly view: Pick<PrivateStateView, 'demand' | 'rootAt'>;
  };
  readonly switchesAt: (blockNumber: number) => PrivacySwitches;
  readonly executions: Pick<ExecutionGate, 'run'>;
}

/** The head of the ledger, with this node's private state at it. */
export class LedgerHead implements PrivateHead {
  /** Of the newest head that was asked for; dry runs at it share what was read. */
  private metadata: StoredMetadata | undefined;

  constructor(private readonly parts: LedgerHeadParts) {}

  switches(): PrivacySwitches {
    return this.parts.switchesAt(this.headNumber + 1);
  }

  async run<T>(work: (worlds: HeadWorlds) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { ledger, own, executions } = this.parts;
    const head = ledger.head();
    const { number } = head.header;
    // Waiting comes first: it must not take up a place in the gate.
    await own.view.demand(number);
    return executions.run(signal, async (admission) => {
      const shared = await ledger.worldAt(head);
      const { executor } = ledger;
      const block = ledger.contextOf(head.header);
      const { context, world: publicWorld } = stageOf({ executor, block, world: shared, ...admission });
      const privateState = await own.states.openWorld(await own.view.rootAt(number), publicWorld.journal);
      const metadata = this.metadataAt(number);
      const worlds = { context, publicWorld, privateWorld: privateState.evm, metadata, roots: storedRoots };
      return work(worlds).catch(asClientError);
    });
  }

  private metadataAt(blockNumber: number): StoredMetadata {
    if (this.metadata?.blockNumber === blockNumber) return this.metadata;
    return (this.metadata = new StoredMetadata(this.parts.own.store, blockNumber));
  }

  private get headNumber(): number {
    return this.parts.ledger.head().header.number;
  }
}

/** Turns a failed dry run into the error for the client. */
async function asClientError(error: unknown): Promise<never> {
  if (error instanceof DryRunFailedError) throw await dryRunError(error.failure, error.output);
  throw error;
}
