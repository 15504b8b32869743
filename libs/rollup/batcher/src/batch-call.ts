import {
  gasLimitOf,
  publishedBatch,
  type EthereumBlock,
  type EthereumClient,
  type RollupCodec,
  type RollupReader,
} from '@tetrad/rollup-chain';
import { decodeProvingInput } from '@tetrad/rollup-sequencer';
import type { RollupStore } from '@tetrad/rollup-store';
import { bytesFromHex } from '@tetrad/types';
import { DivergedError } from './diverged-error.js';
import { failureName, isRevert } from './failure-name.js';
import type { OperatorAccount } from './operator-account.js';
import type { ProvenBatch } from './proven-batch.js';

export interface BatchCallParts {
  readonly store: Pick<RollupStore, 'readProving'>;
  readonly client: Pick<EthereumClient, 'call'>;
  readonly reader: Pick<RollupReader, 'contract' | 'batchLayout'>;
  readonly codec: RollupCodec;
  readonly account: Pick<OperatorAccount, 'address'>;
}

/** What a transaction with a batch does. */
export interface BatchCall {
  readonly data: Uint8Array;
  readonly gas: bigint;
}

/** Makes calls of the contract with batches, and asks what the contract would say of them. */
export class BatchCalls {
  constructor(private readonly parts: BatchCallParts) {}

  /**
   * @param batch - with its proof
   * @returns the call that submits it, with the gas that it needs at most
   * @throws DivergedError when the batch became final or was taken back
   */
  async of({ row, proof }: ProvenBatch): Promise<BatchCall> {
    const { store, codec, reader } = this.parts;
    const proving = await store.readProving(row.height);
    if (proving === undefined) throw new DivergedError(`batch ${row.height} has nothing to publish any more`);
    const { witness, ciphertexts } = decodeProvingInput(proving);
    const published = publishedBatch(witness.publicInputs, ciphertexts);
    const data = bytesFromHex(codec.encodeSubmitBatch(published, proof, await reader.batchLayout()));
    return { data, gas: gasLimitOf(published) };
  }

  /**
   * Asks on one state, which is that at which everything else was read: on a later one, with the batch in it, and on an
   * earlier one, without the batch before, every proof is wrong.
   *
   * @param call - to try
   * @param head - the block after which the state is meant
   * @returns the name of the error with which the contract reverts; undefined when it takes the batch, and when the client
   *   refuses the call for other reasons, such as its time limit
   * @throws ChainUnavailableError
   */
  async refusal(call: BatchCall, head: EthereumBlock): Promise<string | undefined> {
    const { client, reader, account, codec } = this.parts;
    try {
      await client.call({ from: account.address, to: reader.contract, ...call }, { blockHash: head.hash });
      return undefined;
    } catch (error) {
      const why = failureName(codec, error);
      if (why === undefined) throw error;
      return isRevert(error) ? why : undefined;
    }
  }
}
