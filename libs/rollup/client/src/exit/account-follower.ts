import { AccountRecovery, PublicStateError } from '@tetrad/rollup-state';
import { acceptedBatches } from '../chain/accepted-batches.js';
import type { RollupContract } from '../chain/rollup-contract.js';
import type { RollupKeys } from '../keys/rollup-keys.js';
import { ProofError } from '../proofs/account-proof.js';

/** Follows one account in the events of the contract; each look reads only the blocks that it has not read. */
export class AccountFollower {
  private recovery: AccountRecovery;
  private nextBlock: number;
  private stateRoot: bigint | undefined;

  constructor(
    private readonly contract: RollupContract,
    private readonly keys: RollupKeys,
    private readonly fromBlock: number,
  ) {
    this.recovery = this.begin();
    this.nextBlock = fromBlock;
  }

  /**
   * The account after the latest block. Blocks that left the chain make it read everything again, once.
   * @throws ProofError when the events do not lead to the root of the contract; RecoveryError; as `acceptedBatches`
   */
  async look(onPage?: (block: number) => void): Promise<AccountRecovery> {
    try {
      return await this.advance(onPage);
    } catch (error) {
      const isBroken = error instanceof PublicStateError || error instanceof ProofError;
      // A client that is behind itself has the state of a block before it has the events.
      if (!isBroken || this.nextBlock === this.fromBlock) throw error;
      this.recovery = this.begin();
      this.nextBlock = this.fromBlock;
      this.stateRoot = undefined;
      return this.advance(onPage);
    }
  }

  private begin(): AccountRecovery {
    const { domain, operatorKeys } = this.contract;
    const { secretKey, encryptionKey } = this.keys;
    return new AccountRecovery({ domain, operatorKeys, secretKey, encryptionKey });
  }

  private async advance(onPage: ((block: number) => void) | undefined): Promise<AccountRecovery> {
    const { contract, recovery, nextBlock: fromBlock } = this;
    const toBlock = await contract.client.blockNumber();
    const pages = { fromBlock, toBlock, ...(onPage === undefined ? {} : { onPage }) };
    for await (const batch of acceptedBatches(contract, pages)) {
      recovery.apply(batch);
      this.stateRoot = batch.nextStateRoot;
    }
    const { height, stateRoot } = await contract.state(toBlock);
    const last = recovery.next.height - 1;
    if (height !== last || (this.stateRoot !== undefined && stateRoot !== this.stateRoot))
      throw new ProofError(`the events end with batch ${last}, the contract is at batch ${height}`);
    this.nextBlock = Math.max(toBlock + 1, fromBlock);
    return recovery;
  }
}
