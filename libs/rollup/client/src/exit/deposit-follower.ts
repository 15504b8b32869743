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

  /** @throws OperatorError for an event that cannot be read; as `eventsOf` */
  async look(): Promise<readonly RegisteredTransfer[]> {
    const { contract, accountId, topic, nextBlock: fromBlock } = this;
    const toBlock = await contract.client.blockNumber();
    // A block that was replaced may have had the same one.
    const found = new Map(this.waiting.map((deposit) => [deposit.index, deposit]));
    for await (const log of eventsOf(contract, [topic], { fromBlock, toBlock })) {
      const event = contract.codec.parseLog(log);
      if (event?.kind !== 'inbound') throw new OperatorError('an event of a deposit cannot be read');
      if (event.accountId === accountId) found.set(event.index, event);
      else found.delete(event.index);
    }
    const [nextDeposit, count] = await Promise.all([
      contract.read('nextDeposit', []),
      contract.read('depositCount', []),
    ]);
    this.waiting = [...found.values()]
      .filter(({ index }) => BigInt(index) >= nextDeposit)
      .sort((one, other) => one.index - other.index);
    this.nextBlock = Math.max(toBlock + 1, fromBlock);
    return this.waiting.filter(({ index }) => BigInt(index) < count);
  }
}
