import { stageOf, type StateDatabase } from '@tetrad/node-execution';
import type { Ledger } from '@tetrad/node-ledger';
import { SimulationFailedError } from './private/simulate-payload.js';
import type { PrivateStage, PrivateStages } from './private/private-stage.js';
import {
  StoredMetadata,
  storedRoots,
  type PrivacySwitches,
  type PrivateStateView,
} from '@tetrad/node-private-state';
import { simulationError, type ExecutionGate } from '@tetrad/node-simulation';
import type { PrivateStateStore } from '@tetrad/node-store';

export interface HeadStagesParts {
  readonly ledger: Pick<Ledger, 'contextOf' | 'executor' | 'head' | 'worldAt'>;
  readonly own: {
    readonly states: Pick<StateDatabase, 'openWorld'>;
    readonly store: PrivateStateStore;
    readonly view: Pick<PrivateStateView, 'demand' | 'rootAt'>;
  };
  readonly switchesAt: (blockNumber: number) => PrivacySwitches;
  readonly executions: Pick<ExecutionGate, 'run'>;
}

/** Both states at the head of the chain. */
export class HeadStages implements PrivateStages {
  constructor(private readonly parts: HeadStagesParts) {}

  switches(): PrivacySwitches {
    return this.parts.switchesAt(this.headNumber + 1);
  }

  async run<T>(work: (stage: PrivateStage) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { ledger, own, executions } = this.parts;
    const head = ledger.head();
    const { number } = head.header;
    // The wait comes first: it must not take the place of an execution.
    await own.view.demand(number);
    return executions.run(signal, async (admission) => {
      const shared = await ledger.worldAt(head);
      const { executor } = ledger;
      const block = ledger.contextOf(head.header);
      const { context, world: publicWorld } = stageOf({ executor, block, world: shared, ...admission });
      const privateState = await own.states.openWorld(await own.view.rootAt(number), publicWorld.journal);
      const metadata = new StoredMetadata(own.store, number);
      const stage = { context, publicWorld, privateWorld: privateState.evm, metadata, roots: storedRoots };
      return work(stage).catch(asSimulationError);
    });
  }

  private get headNumber(): number {
    return this.parts.ledger.head().header.number;
  }
}

/** What a client is told of a private transaction that fails when it is tried. */
async function asSimulationError(error: unknown): Promise<never> {
  if (error instanceof SimulationFailedError) throw await simulationError(error.failure, error.output);
  throw error;
}
