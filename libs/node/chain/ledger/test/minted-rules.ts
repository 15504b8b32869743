import { keccakHash } from '@tetrad/crypto';
import type { Database } from '@tetrad/db';
import { InvalidBlockError, encodeHeader } from '@tetrad/node-block';
import type { JoinedRows, LedgerStore } from '@tetrad/node-store';
import { ZERO_ADDRESS, ZERO_HASH, parseAddress, type BlockHeader, type SealedHeader } from '@tetrad/types';
import type { ConsensusRules, HeaderConditions, NextBlock } from '../src/index.js';

/** What these rules know after a block: how many there are. */
export interface Minted {
  readonly blocks: number;
}

const NS_PER_MS = 1_000_000n;

/** Whom the EVM sees as COINBASE in every block. */
export const COINBASE = parseAddress(`0x${'c0'.repeat(20)}`);

/** Wei of every block, to the zero address. */
export const REWARD = 2n * 10n ** 18n;

/**
 * Rules of a chain whose blocks are ordered elsewhere: shaped like those of raft (docs/spec/raft.md, "Headers") and unlike those of
 * validators in all that the port leaves open. Timestamps count nanoseconds, COINBASE is always the same, the hash is that of
 * the header as it stands, and each block writes a row of its own.
 */
export class MintedRules implements ConsensusRules<Minted> {
  readonly difficulty = 131_072n;

  constructor(private readonly database: Database) {}

  static async open(database: Database): Promise<MintedRules> {
    await database.pool.query('CREATE TABLE IF NOT EXISTS minted (block bigint PRIMARY KEY)');
    return new MintedRules(database);
  }

  hashHeader = (header: BlockHeader) => keccakHash(encodeHeader(header));
  proposerOf = ({ beneficiary }: BlockHeader) => beneficiary;
  coinbaseOf = () => COINBASE;
  timeMsOf = ({ timestamp }: Pick<BlockHeader, 'timestamp'>) => Number(timestamp / NS_PER_MS);
  timestampAt = (timeMs: number) => BigInt(timeMs) * NS_PER_MS;
  timestampStep = () => 50n * NS_PER_MS;
  rewardOf = () => ({ beneficiary: ZERO_ADDRESS, wei: REWARD });
  feeRecipientOf = () => undefined;
  namedValidators = async () => undefined;
  isSealed = () => true;
  assertGenesis = () => undefined;
  genesisSnapshot = () => ({ blocks: 0 });
  snapshotAfter = ({ blocks }: Minted) => ({ blocks: blocks + 1 });
  foreseeSnapshot = (before: Minted) => this.snapshotAfter(before);
  isSameSnapshot = (one: Minted, other: Minted) => one.blocks === other.blocks;

  assertHeader({ header }: SealedHeader, conditions: HeaderConditions<Minted>): void {
    const { parent, snapshot, latestMs } = conditions;
    if (this.timeMsOf(header) > latestMs) throw new InvalidBlockError('minted too early');
    if (header.parentHash !== parent.hash) throw new InvalidBlockError('non-extending');
    if (snapshot.blocks !== parent.header.number) throw new InvalidBlockError('snapshot of another block');
    if (header.timestamp <= parent.header.timestamp) throw new InvalidBlockError('not later');
  }

  nextContext({ number, gasLimit }: BlockHeader, { timestamp }: NextBlock) {
    const { difficulty } = this;
    return {
      number: number + 1,
      timestamp: Math.floor(this.timeMsOf({ timestamp }) / 1000),
      evmTimestamp: timestamp,
      proposer: COINBASE,
      gasLimit,
      difficulty,
      mixHash: ZERO_HASH,
    };
  }

  snapshotRows(_before: Minted | undefined, { blocks }: Minted): JoinedRows[] {
    return [
      {
        async write(client) {
          await client.query('INSERT INTO minted (block) VALUES ($1)', [blocks]);
        },
      },
    ];
  }

  async assertStored(): Promise<void> {}

  async findSnapshot(_store: LedgerStore, blockNumber: number): Promise<Minted | undefined> {
    const { rows } = await this.database.pool.query('SELECT 1 FROM minted WHERE block = $1', [blockNumber]);
    return rows.length === 0 ? undefined : { blocks: blockNumber };
  }

  async adoptChain(): Promise<Minted> {
    throw new Error('every block of these rules has a row');
  }
}
