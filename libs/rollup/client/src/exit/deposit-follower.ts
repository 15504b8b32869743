import type { RegisteredTransfer } from '@tetrad/rollup-chain';
import { OperatorError, parseHash } from '@tetrad/types';
import { eventsOf } from '../chain/event-pages.js';
import type { RollupContract } from '../chain/rollup-contract.js';

/** Deposits for one account that no batch has taken; each look reads only the blocks that it has not read. */
export class DepositFollower {
  private readonly topic;
  private nextBlock: number;
  private waiting: readonly RegisteredTransfer[] = [];

  constructor(
    private readonly contract: RollupContract,
    private readonly accountId: number,
    fromBlock: number,
  ) {
    this.nextBlock = fromBlock;
    this.topic = parseHash(String(contract.codec.abi.getEvent('InboundTransferRegistered')?.topicHash));
  }

  /** Fails: OperatorError for an event that cannot be read; as `eventsOf` */
  async look(): Promise<readonly RegisteredTransfer[]> {
    const { contract, accountId, topic, nextBlock: fromBlock } = this;
    const toBlock = await contract.client.blockNumber();
    const found = [...this.waiting];
    for await (const log of eventsOf(contract, [topic], { fromBlock, toBlock })) {
      const event = contract.codec.parseLog(log);
      if (event?.kind !== 'inbound') throw new OperatorError('an event of a deposit cannot be read');
      if (event.accountId === accountId) found.push(event);
    }
    const nextDeposit = await contract.read('nextDeposit', []);
    this.waiting = found.filter(({ index }) => BigInt(index) >= nextDeposit);
    this.nextBlock = Math.max(toBlock + 1, fromBlock);
    return this.waiting;
  }
}
