import {
  applyBlock,
  bftRules,
  readHeaderVote,
  snapshotOf,
  type BftRules,
  type ValidatorSnapshot,
} from '@tetrad/node-consensus-bft';
import type { BftConfig, Genesis } from '@tetrad/node-execution';
import type { ValidatorChange } from '@tetrad/node-store';
import type { Address, BlockHeader } from '@tetrad/types';
import { consensusSettings, type ConsensusSettings } from './consensus-settings.js';
import { InvalidBlockError } from './invalid-block-error.js';

/** Which consensus rules hold at which block of a chain. Pure. */
export class ChainRules {
  constructor(private readonly genesis: Genesis) {}

  /** Settings at a block. Fails: InvalidBlockError on a raft chain, which has none. */
  settingsAt(blockNumber: number): ConsensusSettings {
    return consensusSettings(this.config(), blockNumber);
  }

  /** The header format of a block. */
  formatAt(blockNumber: number): BftRules {
    const { consensus } = this.genesis;
    return bftRules(consensus.engine === 'raft' ? 'qbft' : this.settingsAt(blockNumber).engine);
  }

  /** Who proposed the block; the beneficiary of block 0, which nobody did. */
  proposerOf(header: BlockHeader): Address {
    return header.number === 0 ? header.beneficiary : this.formatAt(header.number).proposerOf(header);
  }

  /** The validator list that the header of a block must have: none when a contract names them. */
  listedIn(blockNumber: number, before: ValidatorSnapshot): readonly Address[] {
    return this.settingsAt(blockNumber).validatorContract === undefined ? before.validators : [];
  }

  /** In: contractValidators — what the validator contract says in the genesis state, if there is one. */
  genesisSnapshot(
    header: BlockHeader,
    contractValidators: readonly Address[] | undefined,
  ): ValidatorSnapshot {
    if (this.genesis.consensus.engine === 'raft') return snapshotOf(0, []);
    const listed = contractValidators ?? this.settingsAt(0).listedValidators;
    return snapshotOf(0, listed ?? this.formatAt(0).validatorsOf(header));
  }

  /**
   * The snapshot after a block.
   *
   * In:    contractValidators — what the validator contract says after the block, if there is one that answers
   * Fails: ConsensusError when the header does not follow the snapshot or its author is no validator
   */
  snapshotAfter(
    before: ValidatorSnapshot,
    header: BlockHeader,
    contractValidators: readonly Address[] | undefined,
  ): ValidatorSnapshot {
    const { number } = header;
    const { engine, epochLength, validatorContract, listedValidators } = this.settingsAt(number);
    const vote = readHeaderVote(engine, header);
    const voted = applyBlock(before, { number, author: this.proposerOf(header), vote }, epochLength);
    if (validatorContract !== undefined) return replaced(before, number, contractValidators);
    return listedValidators === undefined ? voted : replaced(before, number, listedValidators);
  }

  private config(): BftConfig {
    const { consensus } = this.genesis;
    if (consensus.engine === 'raft') throw new InvalidBlockError('raft blocks are ordered by another engine');
    return consensus;
  }
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
