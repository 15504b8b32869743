import { WitnessRecorder, witnessedState, type StateSource, type StateWitness } from '@tetrad/node-execution';
import type { StateAfterBlock } from '@tetrad/node-ledger';
import type { Address, Hash } from '@tetrad/types';
import { readValidatorContract } from './validator-contract.js';

/** A list of 1,000 validators has 1,001 slots, with some 2,000 nodes; a contract may read more, and then has no proof. */
const BOUNDS = { count: 8_192, bytes: 4 * 1024 * 1024 };

/** The block after which a contract names validators, and the contract. */
export interface NamedAfter extends Omit<StateAfterBlock, 'world'> {
  readonly stateRoot: Hash;
  readonly contract: Address;
}

/**
 * What a node without the state needs to find out which validators the contract names after the block.
 * @throws WitnessTooLargeError when the contract reads more than a node would take; UnknownStateRootError or
 *   MissingTrieNodeError when the state is not stored
 */
export async function proveValidators(after: NamedAfter, source: StateSource): Promise<StateWitness> {
  const recorder = new WitnessRecorder(source, BOUNDS);
  const world = await recorder.database.openWorld(after.stateRoot);
  await readValidatorContract({ ...after, world }, after.contract);
  return recorder.witness;
}

/**
 * The validators that a contract names after a block, from the witness of another node: the rule of every node, run over
 * the parts of the state that have the hashes which the verified state root leads to.
 * @returns undefined as `readValidatorContract`
 * @throws WitnessTooLargeError; UnknownStateRootError or MissingTrieNodeError when the witness does not show it
 */
export async function provenValidators(
  after: NamedAfter,
  witness: StateWitness,
): Promise<readonly Address[] | undefined> {
  const world = await witnessedState(witness, BOUNDS).openWorld(after.stateRoot);
  return readValidatorContract({ ...after, world }, after.contract);
}
