import { RollupCodec, RollupReader, type EthereumClient, type FreezeHistory } from '@tetrad/rollup-chain';
import type { Point } from '@tetrad/rollup-crypto';
import type { Address } from '@tetrad/types';
import { findFreeze } from '../chain/find-freeze.js';

/** What may change after a deployment. */
export interface PresentState {
  readonly operator: Address;
  /** Who may take over; undefined when no account may. */
  readonly proposedOperator: Address | undefined;
  readonly operatorKeys: readonly Point[];
  readonly isFrozen: boolean;
  /** Who froze it; undefined where the client does not show it. */
  readonly freeze: FreezeHistory | undefined;
}

/**
 * Reads what is so now.
 *
 * @param client - of the chain
 * @param address - of a rollup
 * @param fromBlock - the block of its creation, or an earlier one
 * @returns what the client says at its latest block
 * @throws OperatorError for what is no rollup; as `RollupReader` and `findFreeze`
 */
export async function readPresentState(
  client: EthereumClient,
  address: Address,
  fromBlock: number,
): Promise<PresentState> {
  const codec = new RollupCodec();
  const reader = new RollupReader(client, codec, address);
  const { operator, operatorKeys } = await reader.constants();
  const freezes = (await reader.exitRules()) === 'freeze';
  const isFrozen = freezes && (await reader.isFrozen());
  return {
    operator,
    operatorKeys,
    proposedOperator: freezes ? await reader.proposedOperator() : undefined,
    isFrozen,
    freeze: isFrozen ? await findFreeze({ client, address, codec }, fromBlock) : undefined,
  };
}
