import {
  MissingTrieNodeError,
  UnknownStateRootError,
  WitnessTooLargeError,
  type StateSource,
  type StateWitness,
} from '@tetrad/node-execution';
import type { BftChain } from './bft-chain.js';
import { proveValidators } from './proven-validators.js';

/**
 * What shows a node without the state which validators a contract names after a block of this chain.
 *
 * Cost: one call of the contract, as for each block, and its reads from the source
 *
 * @returns undefined when the block is not here, no contract names them, its state is not stored, or the contract reads too much
 */
export async function serveValidators(
  { ledger, rules }: BftChain,
  source: StateSource,
  number: number,
): Promise<StateWitness | undefined> {
  const contract = rules.settingsAt(number).validatorContract;
  if (contract === undefined) return undefined;
  const [block] = await ledger.listHeaders(number, number);
  if (block === undefined) return undefined;
  const { stateRoot } = block.header;
  const after = { executor: ledger.executor, block: ledger.contextOf(block.header), stateRoot, contract };
  try {
    return await proveValidators(after, source);
  } catch (error) {
    const isNotHere =
      error instanceof UnknownStateRootError ||
      error instanceof MissingTrieNodeError ||
      error instanceof WitnessTooLargeError;
    if (isNotHere) return undefined;
    throw error;
  }
}
