import { InvalidBlockError } from '@tetrad/node-block';
import type { BlockContext, StateDatabase, WorldState } from '@tetrad/node-execution';
import type { Block, BlockHeader, SealedHeader } from '@tetrad/types';
import type { StateHorizon } from './history/state-horizon.js';

interface BlockStateParts {
  readonly state: StateDatabase;
  readonly horizon: StateHorizon;
  /** Number of the head. */
  readonly headNumber: () => number;
  readonly findHeader: (number: number) => Promise<SealedHeader | undefined>;
  readonly contextOf: (header: BlockHeader) => BlockContext;
}

/** A state before a block, and the context in which the transactions of the block run on it. */
export interface Replay {
  readonly context: BlockContext;
  readonly world: WorldState;
}

/** The states after blocks, as long as they are kept. */
export class BlockStates {
  constructor(private readonly parts: BlockStateParts) {}

  /** As `Ledger.worldAt`. */
  async after(block: Pick<SealedHeader, 'header'>): Promise<WorldState> {
    const { horizon, headNumber } = this.parts;
    horizon.assertKept(block.header.number, horizon.oldestAt(headNumber()));
    return this.storedAfter(block);
  }

  /** As `Ledger.storedWorldAt`. */
  async storedAfter({ header }: Pick<SealedHeader, 'header'>): Promise<WorldState> {
    const { number, stateRoot } = header;
    const { horizon, state } = this.parts;
    const assertStored = () => horizon.assertKept(number, horizon.oldestStored);
    assertStored();
    return state.openWorld(stateRoot, undefined, assertStored);
  }

  /** As `Ledger.replay`. */
  async replay({ header }: Block): Promise<Replay> {
    return { context: this.parts.contextOf(header), world: await this.after(await this.parentOf(header)) };
  }

  /** As `Ledger.replayForFollower`. */
  async replayStored({ header }: Block): Promise<Replay> {
    const parent = await this.parentOf(header);
    return { context: this.parts.contextOf(header), world: await this.storedAfter(parent) };
  }

  private async parentOf({ number }: BlockHeader): Promise<SealedHeader> {
    const parent = await this.parts.findHeader(number - 1);
    if (parent === undefined) throw new InvalidBlockError('unknown ancestor');
    return parent;
  }
}
