import type { Address } from '@tetrad/types';
import { Interface } from 'ethers/abi';
import type { EthereumClient } from '../ethereum-client.js';
import { ArtifactError } from './artifact-error.js';
import { readLaterView } from './later-view.js';

/**
 * How a contract has batches written in calls and events, and which circuit proves them: 1 for those of version 0.1.0, `batchLayout()` for
 * the others. Layouts 2 and 3 are written alike; 3 has consents (docs/adr/0253), and with them leaves of nine words.
 */
export type BatchLayout = 1 | 2 | 3;

/** Of contracts that are deployed now. */
export const BATCH_LAYOUT: BatchLayout = 3;

/**
 * Whether accounts can have consents.
 *
 * @param layout - of the contract
 * @returns false for contracts whose leaves have eight words
 */
export const hasConsents = (layout: BatchLayout): boolean => layout === 3;

const FIRST_BATCH =
  '(uint256 nextStateRoot, uint256 ordersRoot, uint256 ciphertextCommitment, uint256[] headers, address[] recipients, uint256[] leaves, uint256[] orders, uint256[] ciphertexts) batch';

/** Submission and event of a contract of the first layout, which lists fields by kind and fifteen words for each operation. */
export const FIRST_LAYOUT = new Interface([
  `function submitBatch(${FIRST_BATCH}, bytes proof)`,
  `event TransactionBatchAccepted(uint256 indexed height, uint256 nextStateRoot, address submitter, ${FIRST_BATCH})`,
]);

const LAYOUT_VIEW = new Interface(['function batchLayout() view returns (uint256)']);

/**
 * The layout of a contract of a rollup. The first layout has no such function.
 * @throws ArtifactError for a layout of a later version; as `readLaterView`
 */
export async function readBatchLayout(
  client: Pick<EthereumClient, 'call'>,
  contract: Address,
): Promise<BatchLayout> {
  const answer = await readLaterView(client, { contract, abi: LAYOUT_VIEW, name: 'batchLayout' });
  if (answer === undefined) return 1;
  const [layout] = answer;
  if (layout === 2n) return 2;
  if (layout !== BigInt(BATCH_LAYOUT))
    throw new ArtifactError(
      `the contract at ${contract} has batches in layout ${layout}; a later version knows it`,
    );
  return BATCH_LAYOUT;
}
