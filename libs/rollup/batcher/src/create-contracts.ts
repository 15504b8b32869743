import {
  ChainUnavailableError,
  firstFees,
  type EthereumClient,
  type EthereumReceipt,
  type CreateContract,
} from '@tetrad/rollup-chain';
import { OperatorError, bytesFromHex, pause, type Address, type Clock, type Hash } from '@tetrad/types';
import type { OperatorAccount } from './operator-account.js';
import { RECEIPT_POLL_MS } from './params.js';

/** Address of a created contract, and the block of its creation. */
export interface CreatedContract {
  readonly address: Address;
  readonly blockNumber: number;
}

/** Creates contracts with the account, one after the other, and waits for each. */
export class ContractCreator {
  private readonly contracts: CreatedContract[] = [];
  /** When each was there, in ms since the epoch. */
  private readonly times: number[] = [];

  constructor(
    private readonly client: EthereumClient,
    private readonly account: OperatorAccount,
    private readonly options: { readonly clock: Clock; readonly timeoutMs: number },
  ) {}

  get created(): readonly CreatedContract[] {
    return this.contracts;
  }

  /** Milliseconds from one creation to the next, in the middle of all: a block, or less where each transaction gets its own. */
  get blockMs(): number | undefined {
    const waits = this.times.slice(1).map((time, index) => time - (this.times[index] as number));
    return waits.sort((one, other) => one - other)[Math.floor(waits.length / 2)];
  }

  /** @throws OperatorError when a creation is reverted or not mined in time; ChainRpcError */
  readonly create: CreateContract = async (code) => {
    const { client, account } = this;
    const data = bytesFromHex(code);
    const [chainId, head, nonce] = await Promise.all([
      client.chainId(),
      client.head(),
      client.nonce(account.address),
    ]);
    const baseFee = head.baseFeePerGas ?? undefined;
    const fees = firstFees({ baseFee, gasPrice: await client.gasPrice() });
    const gasLimit = await client.estimateGas({ from: account.address, data });
    const { hash, raw } = await account.sign({
      chainId,
      to: null,
      data,
      nonce,
      fees,
      gasLimit: gasLimit + gasLimit / 16n,
      hasBaseFee: baseFee !== undefined,
    });
    await client.sendRaw(raw);
    const receipt = await this.receipt(hash);
    const address = receipt.contractAddress ?? undefined;
    if (receipt.status !== 1 || address === undefined)
      throw new OperatorError(`the creation of a contract was reverted: transaction ${hash}`);
    this.times.push(this.options.clock.now());
    this.contracts.push({ address, blockNumber: receipt.blockNumber });
    return address;
  };

  private async receipt(hash: Hash): Promise<EthereumReceipt> {
    const { clock, timeoutMs } = this.options;
    const deadline = clock.now() + timeoutMs;
    for (;;) {
      const receipt = await this.client.receipt(hash).catch(lookAgain);
      if (receipt !== undefined) return receipt;
      if (clock.now() > deadline)
        throw new OperatorError(`transaction ${hash} was not mined in ${timeoutMs / 1_000} seconds`);
      await pause(clock, RECEIPT_POLL_MS);
    }
  }
}

/** A client that is unavailable for a moment does not end a deployment that is half done. */
function lookAgain(error: unknown): undefined {
  if (error instanceof ChainUnavailableError) return undefined;
  throw error;
}
