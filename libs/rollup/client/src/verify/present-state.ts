import { RollupCodec, RollupReader, type EthereumClient } from '@tetrad/rollup-chain';
import type { Point } from '@tetrad/rollup-crypto';
import type { Address } from '@tetrad/types';

/** What may change after a deployment. */
export interface PresentState {
  readonly operator: Address;
  /** Who may take over; undefined when no account may. */
  readonly proposedOperator: Address | undefined;
  readonly operatorKeys: readonly Point[];
  readonly isFrozen: boolean;
}

/** @throws OperatorError for what is no rollup; as `RollupReader` */
export async function readPresentState(client: EthereumClient, address: Address): Promise<PresentState> {
  const reader = new RollupReader(client, await RollupCodec.load(), address);
  const { operator, operatorKeys } = await reader.constants();
  const freezes = (await reader.exitRules()) === 'freeze';
  return {
    operator,
    operatorKeys,
    proposedOperator: freezes ? await reader.proposedOperator() : undefined,
    isFrozen: freezes && (await reader.isFrozen()),
  };
}
