import type { Address } from '@tetrad/types';
import { Interface } from 'ethers/abi';
import type { EthereumClient } from '../ethereum-client.js';
import { ArtifactError } from './artifact-error.js';
import { readLaterView } from './later-view.js';

/**
 * How holders leave a contract whose operator does not serve: by batches of their own, in turns (docs/adr/0215), or by freezing
 * it and withdrawing with proofs (docs/adr/0241).
 */
export type ExitRules = 'turns' | 'freeze';

const RULES_VIEW = new Interface(['function exitRules() view returns (uint256)']);
/** Proofs of the first have leaves of eight words, those of the second of nine. */
const FREEZE: readonly unknown[] = [3n, 4n];

/**
 * Reads the exit rules of a contract; those of earlier versions have no such function.
 *
 * @param client - an Ethereum client
 * @param contract - the rollup
 * @returns which rules
 * @throws ArtifactError for rules of a later version; as `readLaterView`
 */
export async function readExitRules(
  client: Pick<EthereumClient, 'call'>,
  contract: Address,
): Promise<ExitRules> {
  const answer = await readLaterView(client, { contract, abi: RULES_VIEW, name: 'exitRules' });
  if (answer === undefined) return 'turns';
  if (FREEZE.includes(answer[0])) return 'freeze';
  throw new ArtifactError(
    `the contract at ${contract} has exit rules ${answer[0]}; a later version knows them`,
  );
}
