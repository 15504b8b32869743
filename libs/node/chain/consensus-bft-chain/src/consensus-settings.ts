import type { BftConfig, Transition } from '@tetrad/node-execution';
import type { Address } from '@tetrad/types';

/** Settings for producing and verifying a block, with the transitions up to the block applied. */
export type ConsensusSettings = Pick<
  BftConfig,
  | 'engine'
  | 'epochLength'
  | 'blockPeriodMs'
  | 'emptyBlockPeriodMs'
  | 'requestTimeoutMs'
  | 'maxRequestTimeoutMs'
  | 'proposerPolicy'
  | 'proposerPolicyId'
  | 'blockReward'
  | 'rewardAccount'
> & {
  /** Whether 2F+1 seals suffice. */
  readonly legacyQuorum: boolean;
  /** The contract that names the validators after this block; undefined when headers do. */
  readonly validatorContract: Address | undefined;
  /** Minimum gas limit of a block; undefined when the parent's limit is kept. */
  readonly leastGasLimit: bigint | undefined;
  /** Validators that replace the set with this block. */
  readonly listedValidators: readonly Address[] | undefined;
};

/** Settings as they accumulate; selection and contract only count together. */
type Accumulated = Omit<ConsensusSettings, 'validatorContract' | 'listedValidators'> &
  Pick<BftConfig, 'validatorSelection' | 'validatorContract'>;

/** The settings at a block: those of the genesis file under the transitions up to it (docs/spec/bft.md#configuration). */
export function consensusSettings(config: BftConfig, blockNumber: number): ConsensusSettings {
  const isQbft = config.qbftBlock !== undefined && blockNumber >= config.qbftBlock;
  let settings: Accumulated = {
    ...config,
    engine: isQbft ? 'qbft' : config.engine,
    legacyQuorum: blockNumber < config.ceilQuorumBlock,
    leastGasLimit: undefined,
  };
  let listedValidators = blockNumber === 0 ? config.validators : undefined;
  for (const transition of config.transitions) {
    if (transition.block > blockNumber) break;
    settings = applyTransition(settings, transition);
    if (transition.block === blockNumber) listedValidators = transition.validators ?? listedValidators;
  }
  const isContract = settings.validatorSelection === 'contract';
  return {
    ...settings,
    validatorContract: isContract ? settings.validatorContract : undefined,
    listedValidators: isContract || listedValidators?.length === 0 ? undefined : listedValidators,
  };
}

/** As in the sections, a period, time-out or epoch of 0 keeps the earlier value. */
function applyTransition(settings: Accumulated, transition: Transition): Accumulated {
  return {
    ...settings,
    engine: transition.algorithm ?? settings.engine,
    epochLength: transition.epochLength || settings.epochLength,
    blockPeriodMs: transition.blockPeriodMs || settings.blockPeriodMs,
    emptyBlockPeriodMs: transition.emptyBlockPeriodMs ?? settings.emptyBlockPeriodMs,
    requestTimeoutMs: transition.requestTimeoutMs || settings.requestTimeoutMs,
    maxRequestTimeoutMs: transition.maxRequestTimeoutMs ?? settings.maxRequestTimeoutMs,
    blockReward: transition.blockReward ?? settings.blockReward,
    rewardAccount: transition.rewardAccount ?? settings.rewardAccount,
    legacyQuorum: transition.legacyQuorum ?? settings.legacyQuorum,
    leastGasLimit: transition.leastGasLimit ?? settings.leastGasLimit,
    validatorSelection: transition.validatorSelection ?? settings.validatorSelection,
    validatorContract: transition.validatorContract ?? settings.validatorContract,
  };
}
