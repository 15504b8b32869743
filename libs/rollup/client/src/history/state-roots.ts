import { HistoryFrontier, stateRoot } from '@tetrad/rollup-state';
import { acceptedBatches } from '../chain/accepted-batches.js';
import type { RollupContract } from '../chain/rollup-contract.js';
import { ProofError } from '../proofs/account-proof.js';

/** A state of the rollup that the contract had. */
interface KnownState {
  readonly height: number;
  readonly historyRoot: bigint;
  readonly stateRoot: bigint;
}

/** Batches that may have come since the operator answered, or wait there for their confirmation. */
const RECENT_STATES = 64;

/**
 * The latest roots of the contract, and which history goes with each; it reads only events that it has not read yet. For proofs
 * that end at the root of the account tree.
 */
export class StateRoots {
  private readonly frontier = new HistoryFrontier();
  private recent: KnownState[] = [];

  constructor(
    private readonly contract: RollupContract,
    private nextBlock: number,
  ) {}

  /**
   * Height of the latest state with this account root; undefined when there was none lately.
   * @throws ProofError when the events are not those of the contract; as `acceptedBatches`
   */
  async heightOf(accountRoot: bigint): Promise<number | undefined> {
    await this.advance();
    return this.recent.find((known) => stateRoot(accountRoot, known.historyRoot) === known.stateRoot)?.height;
  }

  private async advance(): Promise<void> {
    const { contract, nextBlock: fromBlock } = this;
    const toBlock = await contract.client.blockNumber();
    if (toBlock < fromBlock) return;
    for await (const { height, ordersRoot, nextStateRoot } of acceptedBatches(contract, {
      fromBlock,
      toBlock,
    })) {
      if (height !== this.frontier.height + 1)
        throw new ProofError(`batch ${this.frontier.height + 1} is next in the events, not ${height}`);
      this.frontier.append(ordersRoot);
      const known = { height, historyRoot: this.frontier.root, stateRoot: nextStateRoot };
      this.recent = [known, ...this.recent].slice(0, RECENT_STATES);
    }
    this.nextBlock = toBlock + 1;
    const [latest] = this.recent;
    if (latest !== undefined && (await contract.stateRootAt(latest.height)) !== latest.stateRoot)
      throw new ProofError(`the contract has another root at height ${latest.height} than its events`);
  }
}
