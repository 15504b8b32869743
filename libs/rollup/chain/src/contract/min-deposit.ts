import type { Address } from '@tetrad/types';
import { Interface } from 'ethers/abi';
import type { EthereumClient } from '../ethereum-client.js';
import { DEFAULT_MIN_DEPOSIT } from './deploy-rollup.js';
import { readLaterView } from './later-view.js';

const VIEW = new Interface(['function minDeposit() view returns (uint64)']);

/**
 * Smallest deposit that a contract takes, in units of the rollup, of any token. Contracts of earlier versions take one unit.
 * @throws as `readLaterView`
 */
export async function readMinDeposit(
  client: Pick<EthereumClient, 'call'>,
  contract: Address,
): Promise<bigint> {
  const answer = await readLaterView(client, { contract, abi: VIEW, name: 'minDeposit' });
  return answer === undefined ? DEFAULT_MIN_DEPOSIT : (answer[0] as bigint);
}
