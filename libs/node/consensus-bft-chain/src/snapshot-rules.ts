import { applyBlock, readHeaderVote, snapshotOf, type ValidatorSnapshot } from '@tetrad/node-consensus-bft';
import type { ValidatorChange } from '@tetrad/node-store';
import type { Address, BlockHeader } from '@tetrad/types';
import type { ConsensusSettings } from './consensus-settings.js';

/** What of a block changes the validators. */
export interface SnapshotStep {
  readonly header: BlockHeader;
  /** Who proposed it. */
  readonly author: Address;
  /** At the number of the block. */
  readonly settings: Pick<
    ConsensusSettings,
    'engine' | 'epochLength' | 'validatorContract' | 'listedValidators'
  >;
  /** Whether a block without a vote is read as GoQuorum reads it (docs/adr/0075). */
  readonly isGoQuorum: boolean;
  /** What the validator contract says after the block, if there is one that answers. */
  readonly named: readonly Address[] | undefined;
}

/**
 * The snapshot after a block.
 *
 * Fails: ConsensusError when the header does not follow the snapshot or its author is not a validator
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

/** A set that does not come from votes; the old list is kept when it is the same, as the sign that nothing changed. */
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

/** Whether both have the same set and the same open votes. */
export function isSameSnapshot(one: ValidatorSnapshot, other: ValidatorSnapshot): boolean {
  const content = ({ validators, votes }: ValidatorSnapshot) =>
    JSON.stringify([
      validators,
      votes.map(({ block, validator, recipient, add }) => [block, validator, recipient, add]),
    ]);
  return content(one) === content(other);
}

/** What the store must write for a block to turn one snapshot into the other; undefined when they say the same. */
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
