import { hexFromBytes, bytesFromHex, type Address } from '@tetrad/types';
import { Interface } from 'ethers/abi';
import { ChainRpcError, type EthereumClient } from '../ethereum-client.js';
import { ArtifactError } from './artifact.js';

/** How a contract has batches written in calls and events: 1 for those of version 0.1.0, `batchLayout()` for the others. */
export type BatchLayout = 1 | 2;

/** Of contracts that are deployed now. */
export const BATCH_LAYOUT: BatchLayout = 2;

const FIRST_BATCH =
  '(uint256 nextStateRoot, uint256 ordersRoot, uint256 ciphertextCommitment, uint256[] headers, address[] recipients, uint256[] leaves, uint256[] orders, uint256[] ciphertexts) batch';

/** Submission and event of a contract of the first layout, which lists fields by kind and fifteen words for each operation. */
export const FIRST_LAYOUT = new Interface([
  `function submitBatch(${FIRST_BATCH}, bytes proof)`,
  `event TransactionBatchAccepted(uint256 indexed height, uint256 nextStateRoot, address submitter, ${FIRST_BATCH})`,
]);

const LAYOUT_CALL = new Interface(['function batchLayout() view returns (uint256)']);

/**
 * The layout of a contract of a rollup.
 *
 * Fails: ArtifactError for a layout of a later version; ChainUnavailableError
 */
export async function readBatchLayout(
  client: Pick<EthereumClient, 'call'>,
  contract: Address,
): Promise<BatchLayout> {
  const data = bytesFromHex(LAYOUT_CALL.encodeFunctionData('batchLayout'));
  const answer = await client.call({ to: contract, data }).catch(answerOfFirst);
  if (answer.length === 0) return 1;
  const [layout] = LAYOUT_CALL.decodeFunctionResult('batchLayout', hexFromBytes(answer));
  if (layout !== BigInt(BATCH_LAYOUT))
    throw new ArtifactError(
      `the contract at ${contract} has batches in layout ${layout}; a later version knows it`,
    );
  return BATCH_LAYOUT;
}

/** The contract of the first layout has no such function, and reverts. */
function answerOfFirst(error: unknown): Uint8Array {
  if (error instanceof ChainRpcError) return new Uint8Array();
  throw error;
}
