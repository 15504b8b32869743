import type { EthereumClient } from '@tetrad/rollup-chain';
import { OperatorError, type Address, type Hash } from '@tetrad/types';

/** What one client says of the chain at one block. */
export class ChainSnapshot {
  private constructor(
    readonly client: EthereumClient,
    readonly chainId: bigint,
    readonly blockNumber: number,
    readonly blockHash: Hash,
  ) {}

  /** @throws ChainUnavailableError, ChainRpcError */
  static async take(client: EthereumClient): Promise<ChainSnapshot> {
    const [chainId, { number, hash }] = await Promise.all([client.chainId(), client.head()]);
    return new ChainSnapshot(client, chainId, number, hash);
  }

  code(address: Address): Promise<Uint8Array> {
    return this.client.code(address, this.blockNumber);
  }

  /** @throws OperatorError when the block has left the chain since: answers may be of two chains */
  async assertSame(): Promise<void> {
    const block = await this.client.block(this.blockNumber);
    if (block?.hash !== this.blockHash)
      throw new OperatorError(`block ${this.blockNumber} has left the chain meanwhile; run it again`);
  }
}
