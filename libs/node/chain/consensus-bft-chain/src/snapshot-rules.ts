import { applyBlock, readHeaderVote, snapshotOf, type ValidatorSnapshot } from '@tetrad/node-consensus-bft';
import type { ValidatorChange } from '@tetrad/node-store';
import type { Address, BlockHeader } from '@tetrad/types';
import type { ConsensusSettings } from './consensus-settings.js';

/** The parts of a block that change the validators. */
export interface SnapshotStep {
  readonly header: BlockHeader;
  /** The proposer. */
  readonly author: Address;
  /** At the number of the block. */
  readonly settings: Pick<
    ConsensusSettings,
    'engine' | 'epochLength' | 'validatorContract' | 'listedValidators'
  >;
  /** Whether a block without a vote is read as GoQuorum reads it (docs/adr/0075). */
  readonly isGoQuorum: boolean;
  /** The validators that the contract names after the block; undefined without a valid answer. */
  readonly named: readonly Address[] | undefined;
}

/**
 * The snapshot after a block.
 * @throws ConsensusError when the header does not follow the snapshot or its author is not a validator
 */
export function stepSnapshot(before: ValidatorSnapshot, step: SnapshotStep): ValidatorSnapshot {
  const { header, author, settings, isGoQuorum, named } = step;
  const { number } = header;
  const { engine, epochLength, validatorContract, listedValidators } = settings;
  const vote = readHeaderVote(engine, header, isGoQuorum ? 'zeroDrop' : 'none');
  const voted = applyBlock(before, { number, author, vote }, epochLength);
  if (validatorContract !== undefined) return replaced(before, number, named);
  return listedValidators === undefined ? voted : replaced(before, number, listedValidators);
}

/** A set that does not result from votes; returns the old list when it is equal, to show that nothing changed. */
function replaced(
  before: ValidatorSnapshot,
  number: number,
  validators: readonly Address[] | undefined,
): ValidatorSnapshot {
  const after = snapshotOf(number, validators ?? before.validators);
  const isSame =
    after.validators.length === before.validators.length &&
    after.validators.every((validator, index) => validator === before.validators[index]);
  return isSame ? { ...after, validators: before.validators } : after;
}

/** Whether both lists name the same validators. */
export function isSameSet(one: readonly Address[], other: readonly Address[]): boolean {
  const sorted = (list: readonly Address[]) => snapshotOf(0, list).validators.join();
  return sorted(one) === sorted(other);
}

/** Whether both have the same set and the same open votes. */
export function isSameSnapshot(one: ValidatorSnapshot, other: ValidatorSnapshot): boolean {
  const content = ({ validators, votes }: ValidatorSnapshot) =>
    JSON.stringify([
      validators,
      votes.map(({ block, validator, recipient, isAdd }) => [block, validator, recipient, isAdd]),
    ]);
  return content(one) === content(other);
}

/** The change that the store must write to turn one snapshot into the other; undefined when they are equal. */
export function validatorChange(
  before: ValidatorSnapshot | undefined,
  after: ValidatorSnapshot,
): ValidatorChange | undefined {
  const opened = after.votes.filter((vote) => !before?.votes.includes(vote));
  const closed = before?.votes.filter((vote) => !after.votes.includes(vote)) ?? [];
  const isSameSet = before?.validators === after.validators;
  if (isSameSet && opened.length === 0 && closed.length === 0) return undefined;
  return { ...(isSameSet ? {} : { validators: after.validators }), opened, closed };
}
