import { isOnCurve, type Point } from '@tetrad/rollup-crypto';
import { OperatorError, type Address } from '@tetrad/types';
import { Interface } from 'ethers/abi';
import type { EthereumClient } from '../ethereum-client.js';
import { readLaterView } from './later-view.js';

const VIEW = new Interface(['function operatorKeys() view returns (uint256[2][])']);
/** As OperatorKeys.sol: a contract with more is another one. */
const MAX_KEYS = 64;

/**
 * The encryption keys that the operator has announced, the present one last.
 * @returns undefined for a contract of an earlier version, which has the key of its deployment for good
 * @throws OperatorError for a list that a rollup cannot have; as `readLaterView`
 */
export async function readAnnouncedKeys(
  client: Pick<EthereumClient, 'call'>,
  contract: Address,
): Promise<readonly Point[] | undefined> {
  const answer = await readLaterView(client, { contract, abi: VIEW, name: 'operatorKeys' });
  if (answer === undefined) return undefined;
  const keys = [...(answer[0] as Iterable<readonly [bigint, bigint]>)].map(([x, y]) => ({ x, y }));
  if (keys.length === 0 || keys.length > MAX_KEYS || !keys.every(isOnCurve))
    throw new OperatorError(`the rollup at ${contract} has no list of keys of an operator`);
  return keys;
}
