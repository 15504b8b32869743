import type { BftEngineOptions, HeightContext, MessageVerdict } from '@tetrad/node-consensus-bft';
import type { SimulatedEngine } from '../../../consensus-bft/test/simulator/simulated-node.js';
import { Participation, type Neighbours } from '../../src/participation.js';

/** What a process of the simulator sees of its chain and its peers. */
export interface RecordlessSurroundings {
  readonly neighbours: Neighbours;
  readonly context: () => HeightContext;
  readonly headTimeMs: () => number;
  readonly fault: (error: unknown) => void;
}

/** The engine of a validator of the simulator that may be silent first, as its database may have no record. */
export class RecordlessEngine implements SimulatedEngine {
  private participation: Participation | undefined;

  constructor(
    private readonly options: BftEngineOptions,
    private readonly surroundings: RecordlessSurroundings,
  ) {}

  get isActive(): boolean {
    return this.participation?.isActive === true;
  }

  start(record: Uint8Array | undefined): void {
    const { options, surroundings } = this;
    const records = {
      find: () => Promise.resolve(record),
      save: (_: unknown, { record: bytes, ...view }: { record: Uint8Array; height: number; round: number }) =>
        options.persist(bytes, view),
    };
    Participation.start({ ...options, ...surroundings, records }).then((started) => {
      this.participation = started;
      started.onHead(surroundings.context());
    }, surroundings.fault);
  }

  onHead(context: HeightContext): void {
    this.participation?.onHead(context);
  }

  onMessage(bytes: Uint8Array): MessageVerdict {
    return this.participation?.current.onMessage(bytes) ?? { outcome: 'ignored', reason: 'notRunning' };
  }
}
