import { InvalidBlockError } from '@tetrad/node-block';
import {
  DIFFICULTY,
  ISTANBUL_MIX_HASH,
  bftRules,
  committedHeader,
  decodeIbftExtraData,
  decodeQbftExtraData,
  hashHeader,
  namesValidators,
  readGenesisValidators,
  snapshotOf,
  verifyHeader,
  type BftRules,
  type ValidatorSnapshot,
} from '@tetrad/node-consensus-bft';
import { GenesisError, type BftConfig, type BlockContext, type Genesis } from '@tetrad/node-execution';
import type {
  BlockReward,
  ConsensusRules,
  HeaderConditions,
  NextBlock,
  NextContext,
  StateAfterBlock,
} from '@tetrad/node-ledger';
import { validatorRows, type JoinedRows, type LedgerStore } from '@tetrad/node-store';
import type { Address, BlockHeader, Hash, SealedHeader } from '@tetrad/types';
import { consensusSettings, type ConsensusSettings } from './consensus-settings.js';
import { assertGasLimit, assertProposedGasLimit, nextGasLimit } from './gas-limit.js';
import { isSameSet, isSameSnapshot, stepSnapshot, validatorChange } from './snapshot-rules.js';
import { readValidatorContract } from './validator-contract.js';

const MS = 1000;

type GenesisHeader = Pick<Genesis, 'rules' | 'extraData'>;

/**
 * The consensus rules of a qbft or ibft chain.
 * @throws GenesisError for another engine
 */
export function bftChainRules(genesis: Genesis): BftChainRules {
  const { consensus } = genesis;
  if (consensus.engine === 'raft')
    throw new GenesisError('config.raft: raft blocks are not decided on by validators');
  return new BftChainRules(genesis, consensus);
}

/** The rules of a chain whose blocks validators decide; the rules of a block follow from its number. */
export class BftChainRules implements ConsensusRules<ValidatorSnapshot> {
  readonly difficulty = DIFFICULTY;

  /** Those asked for last: the rules of one header ask several times. */
  private latest: { readonly number: number; readonly settings: ConsensusSettings } | undefined;

  constructor(
    private readonly genesis: GenesisHeader,
    private readonly config: BftConfig,
  ) {}

  /** The settings at a block, with the transitions up to it. */
  settingsAt(blockNumber: number): ConsensusSettings {
    if (this.latest?.number !== blockNumber)
      this.latest = { number: blockNumber, settings: consensusSettings(this.config, blockNumber) };
    return this.latest.settings;
  }

  /** The header format of a block. */
  formatAt(blockNumber: number): BftRules {
    return bftRules(this.settingsAt(blockNumber).engine);
  }

  /** The validator list that the header of a block must have: none when a contract names them. */
  listedIn(blockNumber: number, before: ValidatorSnapshot): readonly Address[] {
    return this.settingsAt(blockNumber).validatorContract === undefined ? before.validators : [];
  }

  hashHeader(header: BlockHeader): Hash {
    return hashHeader(header);
  }

  isSealed({ number, extraData }: Pick<BlockHeader, 'number' | 'extraData'>): boolean {
    if (number === 0) return true;
    const { engine } = this.settingsAt(number);
    const { committedSeals } =
      engine === 'ibft' ? decodeIbftExtraData(extraData) : decodeQbftExtraData(extraData);
    return committedSeals.length > 0;
  }

  /** The header without what its hash does not cover: committed seals, and the round that they are of. */
  withoutSeals(header: BlockHeader): BlockHeader {
    return committedHeader(this.settingsAt(header.number).engine, header, { round: 0, seals: [] });
  }

  proposerOf(header: BlockHeader): Address {
    return header.number === 0 ? header.beneficiary : this.formatAt(header.number).proposerOf(header);
  }

  /** The proposer: in the older format the beneficiary is the recipient of the block's vote. */
  coinbaseOf(header: BlockHeader): Address {
    return this.proposerOf(header);
  }

  timeMsOf({ timestamp }: Pick<BlockHeader, 'timestamp'>): number {
    return Number(timestamp) * MS;
  }

  timestampAt(timeMs: number): bigint {
    return BigInt(Math.floor(timeMs / MS));
  }

  timestampStep(blockNumber: number): bigint {
    return BigInt(Math.max(1, Math.ceil(this.settingsAt(blockNumber).blockPeriodMs / MS)));
  }

  assertHeader({ header }: SealedHeader, conditions: HeaderConditions<ValidatorSnapshot>): void {
    const { parent, snapshot, latestMs, isProposal } = conditions;
    const settings = this.settingsAt(header.number);
    const rules = bftRules(settings.engine);
    verifyHeader({
      rules,
      header,
      parent,
      validators: snapshot.validators,
      isProposal,
      now: latestMs / MS,
      allowedFutureSeconds: 0,
      periodSeconds: Math.floor(settings.blockPeriodMs / MS),
      legacyQuorum: settings.legacyQuorum,
    });
    if (!namesValidators(rules, header, this.listedIn(header.number, snapshot)))
      throw new InvalidBlockError('invalid validator list');
    if (isProposal) assertProposedGasLimit(header.gasLimit, parent.header.gasLimit, settings);
    // A quorum of GoQuorum's validators may have let the limit jump, as its rules do not check it.
    else if (!this.isGoQuorum) assertGasLimit(header.gasLimit, parent.header.gasLimit, settings);
  }

  nextContext(parent: BlockHeader, { proposer, timestamp }: NextBlock): NextContext {
    const number = parent.number + 1;
    return {
      number,
      proposer,
      timestamp: Number(timestamp),
      gasLimit: nextGasLimit(parent.gasLimit, this.settingsAt(number)),
      difficulty: DIFFICULTY,
      mixHash: ISTANBUL_MIX_HASH,
    };
  }

  rewardOf({ number, proposer }: Pick<BlockContext, 'number' | 'proposer'>): BlockReward | undefined {
    const { engine, blockReward, rewardAccount } = this.settingsAt(number);
    if (blockReward === 0n) return undefined;
    // GoQuorum pays in blocks of the newer format only.
    if (engine === 'ibft' && this.isGoQuorum) return undefined;
    return { beneficiary: rewardAccount === 'proposer' ? proposer : rewardAccount, wei: blockReward };
  }

  /** The reward account in both formats under GoQuorum's rules, else the proposer. */
  feeRecipientOf({ number }: Pick<BlockContext, 'number'>): Address | undefined {
    const { rewardAccount } = this.settingsAt(number);
    return this.isGoQuorum && rewardAccount !== 'proposer' ? rewardAccount : undefined;
  }

  async namedValidators(after: StateAfterBlock): Promise<readonly Address[] | undefined> {
    const { validatorContract } = this.settingsAt(after.block.number);
    return validatorContract === undefined ? undefined : readValidatorContract(after, validatorContract);
  }

  /** @throws GenesisError when the genesis file names no validators, as such a chain would stay at block 0 */
  assertGenesis(): void {
    const { engine, validatorContract, listedValidators } = this.settingsAt(0);
    const named = listedValidators ?? readGenesisValidators(engine, this.genesis.extraData);
    if (named.length === 0 && validatorContract === undefined)
      throw new GenesisError('extraData: no validators, so no block could be proposed');
  }

  genesisSnapshot(header: BlockHeader, named: readonly Address[] | undefined): ValidatorSnapshot {
    const { validatorContract, listedValidators } = this.settingsAt(0);
    const snapshot = snapshotOf(0, named ?? listedValidators ?? this.formatAt(0).validatorsOf(header));
    if (validatorContract !== undefined && snapshot.validators.length === 0)
      throw new GenesisError(
        `validatorcontractaddress: the contract ${validatorContract} names no validators at block 0`,
      );
    return snapshot;
  }

  snapshotAfter(
    before: ValidatorSnapshot,
    header: BlockHeader,
    named: readonly Address[] | undefined,
  ): ValidatorSnapshot {
    const [settings, author] = [this.settingsAt(header.number), this.proposerOf(header)];
    return stepSnapshot(before, { header, author, settings, isGoQuorum: this.isGoQuorum, named });
  }

  foreseeSnapshot(before: ValidatorSnapshot, header: BlockHeader): ValidatorSnapshot | undefined {
    if (this.settingsAt(header.number).validatorContract !== undefined) return undefined;
    return this.snapshotAfter(before, header, undefined);
  }

  isSameSnapshot(one: ValidatorSnapshot, other: ValidatorSnapshot): boolean {
    return isSameSnapshot(one, other);
  }

  snapshotRows(before: ValidatorSnapshot | undefined, after: ValidatorSnapshot): JoinedRows[] {
    return validatorRows(validatorChange(before, after));
  }

  /** A set that a transition lists for a stored block was in force then, or is put in force by the operators' command. */
  async assertStored(store: Pick<LedgerStore, 'validators'>, headNumber: number): Promise<void> {
    for (const { block } of this.config.transitions) {
      const { listedValidators } = this.settingsAt(block);
      if (listedValidators === undefined || block > headNumber) continue;
      const stored = await store.validators.findSnapshot(block);
      if (stored === undefined || isSameSet(stored.validators, listedValidators)) continue;
      throw new GenesisError(
        `transitions: block ${block}: validators: others decided the block after it here; a set is replaced after the head ` +
          `by node replace-validators, and this head is block ${headNumber}`,
      );
    }
  }

  async findSnapshot(store: LedgerStore, blockNumber: number): Promise<ValidatorSnapshot | undefined> {
    const row = await store.validators.findSnapshot(blockNumber);
    return row === undefined ? undefined : { number: blockNumber, ...row };
  }

  /** A chain created before validator sets were stored: voting did not exist, so the genesis set is still current. */
  async adoptChain(
    store: LedgerStore,
    headNumber: number,
    genesis: ValidatorSnapshot,
  ): Promise<ValidatorSnapshot> {
    await store.validators.initialise(genesis.validators);
    return { ...genesis, number: headNumber };
  }

  /** Whether the chain began under GoQuorum's rules (docs/adr/0075). */
  private get isGoQuorum(): boolean {
    return this.genesis.rules === 'goquorum';
  }
}
