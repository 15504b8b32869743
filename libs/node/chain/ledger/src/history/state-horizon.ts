import { RequestError } from '@tetrad/types';

/** Which states can be read: those of the newest blocks. */
export class StateHorizon {
  /**
   * @param stored - the states of this block and of all later ones are in the database
   * @param blocks - clients get the state of the head and of this many blocks before it; undefined: of all that are stored
   */
  constructor(
    private stored: number,
    readonly blocks: number | undefined,
  ) {}

  /** Number of the oldest block whose state is in the database. */
  get oldestStored(): number {
    return this.stored;
  }

  /** States of earlier blocks were removed. */
  moveTo(stored: number): void {
    this.stored = stored;
  }

  /** Number of the oldest block whose state clients get. */
  oldestAt(head: number): number {
    return this.blocks === undefined ? this.stored : Math.max(this.stored, head - this.blocks);
  }

  /** @throws RequestError STATE_NOT_AVAILABLE when the state of the block is older than that of another */
  assertKept(block: number, oldest: number): void {
    if (block >= oldest) return;
    // Tools look for geth's words.
    const text = `missing trie node: the state of block ${block} is not kept, the oldest is that of block ${oldest}`;
    throw new RequestError('STATE_NOT_AVAILABLE', text, { oldestBlock: oldest });
  }
}
