import { keccakHash } from '@tetrad/crypto';
import { InvalidBlockError, encodeHeader } from '@tetrad/node-block';
import {
  GenesisError,
  limitsAt,
  rewardAccountAt,
  rulesAt,
  type BlockContext,
  type Genesis,
} from '@tetrad/node-execution';
import type {
  BlockReward,
  ConsensusRules,
  HeaderConditions,
  NextBlock,
  NextContext,
} from '@tetrad/node-ledger';
import type { JoinedRows, LedgerStore } from '@tetrad/node-store';
import {
  ZERO_ADDRESS,
  ZERO_HASH,
  type Address,
  type BlockHeader,
  type Hash,
  type SealedHeader,
} from '@tetrad/types';
import { recoverMinter } from './raft-seal.js';

/** The minimum of ethash, which is the difficulty of blocks within seconds of each other. */
const MINIMUM_DIFFICULTY = 131_072n;

const NS_PER_MS = 1_000_000n;
const MS = 1000;
const ETHER = 10n ** 18n;

/** Time from a simulated block to the next: the time between blocks of GoQuorum (docs/spec/raft.md, "Configuration"). */
const SIMULATED_STEP = 50n * NS_PER_MS;

/** The rules keep no state after a block but its number. */
export interface RaftSnapshot {
  readonly number: number;
}

type RaftGenesis = Pick<Genesis, 'consensus' | 'forks' | 'limits' | 'rules'>;

/**
 * The rules of a chain whose blocks are ordered by a log that all nodes read (docs/spec/raft.md, "Headers").
 *
 * The log decides which block follows another. Difficulty, gas limit and clock of a header are not checked, as in
 * GoQuorum; its seal must be readable, since clients are shown the minter of a block.
 */
export class RaftChainRules implements ConsensusRules<RaftSnapshot> {
  /** Of blocks minted here. Totals exclude the ethash bomb in headers of GoQuorum after some million blocks. */
  readonly difficulty = MINIMUM_DIFFICULTY;

  constructor(private readonly genesis: RaftGenesis) {}

  hashHeader(header: BlockHeader): Hash {
    return keccakHash(encodeHeader(header));
  }

  /** The address of the node key that sealed the block. */
  proposerOf(header: BlockHeader): Address {
    return header.number === 0 ? header.beneficiary : recoverMinter(header);
  }

  coinbaseOf({ beneficiary }: BlockHeader): Address {
    return beneficiary;
  }

  timeMsOf({ timestamp }: Pick<BlockHeader, 'timestamp'>): number {
    return Number(timestamp / NS_PER_MS);
  }

  timestampAt(timeMs: number): bigint {
    return BigInt(Math.floor(timeMs)) * NS_PER_MS;
  }

  timestampStep(): bigint {
    return SIMULATED_STEP;
  }

  assertHeader({ header }: SealedHeader, { parent }: HeaderConditions<RaftSnapshot>): void {
    if (header.number !== parent.header.number + 1) throw new InvalidBlockError('invalid block number');
    if (header.parentHash !== parent.hash) throw new InvalidBlockError('unknown ancestor');
    if (header.timestamp <= parent.header.timestamp)
      throw new InvalidBlockError('timestamp is not later than that of the parent');
    if (header.gasUsed > header.gasLimit) throw new InvalidBlockError('gas used is above the gas limit');
    recoverMinter(header);
  }

  nextContext(parent: BlockHeader, { proposer, timestamp }: NextBlock): NextContext {
    const number = parent.number + 1;
    return {
      number,
      timestamp: Math.floor(this.timeMsOf({ timestamp }) / MS),
      evmTimestamp: timestamp,
      proposer: this.isGasPriced(number) ? proposer : ZERO_ADDRESS,
      gasLimit: parent.gasLimit,
      difficulty: this.difficulty,
      mixHash: ZERO_HASH,
    };
  }

  /** The ethash block reward, paid to the beneficiary, which is the zero address in most headers. */
  rewardOf({ number, proposer }: Pick<BlockContext, 'number' | 'proposer'>): BlockReward {
    const rules = rulesAt(this.genesis.forks, { number, timestamp: 0 });
    if (rules.has('constantinople')) return { beneficiary: proposer, wei: 2n * ETHER };
    return { beneficiary: proposer, wei: (rules.has('byzantium') ? 3n : 5n) * ETHER };
  }

  /** GoQuorum pays fees, unlike the reward, to the account that transitions name. */
  feeRecipientOf({ number }: Pick<BlockContext, 'number'>): Address | undefined {
    if (this.genesis.rules !== 'goquorum') return undefined;
    const { transitions } = this.genesis.consensus;
    const account = rewardAccountAt({ transitions }, number);
    return account === 'proposer' ? undefined : account;
  }

  async namedValidators(): Promise<undefined> {
    return undefined;
  }

  assertGenesis(): void {
    if (this.genesis.consensus.engine !== 'raft')
      throw new GenesisError('config: the chain is not a raft chain');
  }

  genesisSnapshot(): RaftSnapshot {
    return { number: 0 };
  }

  snapshotAfter(_before: RaftSnapshot, { number }: BlockHeader): RaftSnapshot {
    return { number };
  }

  /** The log shows which headers are the chain's. */
  isSealed(): boolean {
    return true;
  }

  foreseeSnapshot(before: RaftSnapshot, header: BlockHeader): RaftSnapshot {
    return this.snapshotAfter(before, header);
  }

  isSameSnapshot(one: RaftSnapshot, other: RaftSnapshot): boolean {
    return one.number === other.number;
  }

  snapshotRows(): JoinedRows[] {
    return [];
  }

  /** The log names the members, and the genesis file none. */
  async assertStored(): Promise<void> {}

  async findSnapshot(store: LedgerStore, blockNumber: number): Promise<RaftSnapshot | undefined> {
    const block = await store.findBlockByNumber(blockNumber);
    return block === undefined ? undefined : { number: blockNumber };
  }

  async adoptChain(_store: LedgerStore, headNumber: number): Promise<RaftSnapshot> {
    return { number: headNumber };
  }

  /** Whether the minter is paid for gas, so that headers name a beneficiary. */
  private isGasPriced(blockNumber: number): boolean {
    return limitsAt(this.genesis.limits, blockNumber).isGasFree === false;
  }
}
