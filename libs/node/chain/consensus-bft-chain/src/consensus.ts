import type { BftEngine, ConsensusNetwork, MessageVerdict } from '@tetrad/node-consensus-bft';
import type { SigningKey } from '@tetrad/crypto';
import type { WorldState } from '@tetrad/node-execution';
import type { TransactionPool } from '@tetrad/node-pool';
import type { ConsensusRecords } from '@tetrad/node-store';
import type { Address, Clock, Logger, Metrics } from '@tetrad/types';
import type { BftChain } from './bft-chain.js';
import { BlockBuilder } from './block-builder.js';
import { LedgerForConsensus } from './consensus-ledger.js';
import { HeightSchedule } from './height-schedule.js';
import type { ValidatorCandidates } from './validator-candidates.js';
import { Participation, type Neighbours, type SilenceReport } from './participation.js';
import { SealingLog } from './sealing-log.js';
import { ValidatorSigning } from './validator-signing.js';

/** Time-outs of one height after which an operator should look; two may pass when a validator is down. */
const LAPSES_OF_TROUBLE = 4;

export interface ConsensusOptions extends BftChain {
  readonly pool: TransactionPool;
  readonly candidates: ValidatorCandidates;
  /** The node key; whether it is a validator's shows with every block. */
  readonly key: SigningKey;
  /** Records of what this key signed, stored before the messages are sent. */
  readonly records: Pick<ConsensusRecords, 'find' | 'save'>;
  readonly network: ConsensusNetwork;
  readonly neighbours: Neighbours;
  /** Time between blocks in place of that of the genesis file. */
  readonly blockPeriodMs?: number | undefined;
  /** Called when other validators are far ahead, so that blocks should be fetched. */
  readonly onBehind?: (height: number) => void;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly isDatabaseUnavailable: (error: unknown) => boolean;
}

export interface ConsensusTrouble {
  /** False when the validators together fail to agree, which no single one of them shows to be its fault. */
  readonly isOwn: boolean;
  readonly reason: string;
}

/** The part of a node in consensus. */
export interface Consensus {
  /** Address of the node key. */
  readonly address: Address;
  /** Takes a message from a peer. Never throws. */
  onMessage(message: Uint8Array): MessageVerdict;
  /** Why no block is produced at the moment, and whether by a fault of this node; undefined when all is well. */
  trouble(): ConsensusTrouble | undefined;
  /**
   * Why this validator signs nothing for now although it takes part: its database has no record of its key. Undefined
   * otherwise.
   */
  silence(): SilenceReport | undefined;
  /** The state of the block being built, to read or to execute calls in. */
  pendingWorld(): Promise<WorldState>;
  /** Whether this node proposes and votes, if it is a validator. */
  isActive(): boolean;
  /**
   * Stops proposing and voting until `resume`; the node goes on following the chain. Resolves when no block is being
   * built.
   */
  pause(): Promise<void>;
  /**
   * Takes part again, from the stored record on.
   * @throws MessageError when the record is damaged
   */
  resume(): Promise<void>;
  /** Resolves when no block is being built; transactions that are not in a block stay in the pool. */
  stop(): Promise<void>;
}

/**
 * Takes part in consensus from the head on.
 * @throws MessageError when the stored record is damaged
 */
export async function startConsensus(options: ConsensusOptions): Promise<Consensus> {
  const { ledger, rules, pool, records, key, clock, logger } = options;
  const { address } = key;
  const hasWork = () => pool.status().pending > 0;
  const schedule = new HeightSchedule(options, hasWork);
  const context = () => schedule.context();
  const signing = new ValidatorSigning({ ...options, context });
  const sign = (digest: Uint8Array) => signing.sign(digest);
  const builder = new BlockBuilder({ ...options, sign, proposer: address });
  const forConsensus = new LedgerForConsensus({ ...options, builder, times: () => schedule.times() });
  const sealingLog = new SealingLog(address, logger);
  sealingLog.began(context());
  const participation = await Participation.start({
    ...options,
    address,
    context,
    ledger: forConsensus,
    headTimeMs: () => rules.timeMsOf(ledger.head().header),
    sign,
    formatAt: (height) => rules.settingsAt(height).engine,
    persist: (record, view) => records.save(address, { ...view, record }),
  });
  const forgetBlocks = ledger.onBlock((block) => {
    schedule.onHead(forConsensus.seenMs(block) ?? clock.now());
    forConsensus.forget();
    const above = context();
    sealingLog.began(above);
    participation.onHead(above);
  });
  // A block may have come while the record was read.
  participation.onHead(context());
  const forgetTransactions = pool.onTransaction(() => {
    // Transactions queued behind a nonce gap do not justify a block.
    if (participation.isActive && hasWork()) participation.current.onWork();
  });
  return {
    address,
    onMessage: (message) => participation.current.onMessage(message),
    trouble: () => troubleOf(participation, forConsensus),
    silence: () => participation.report,
    pendingWorld: () => builder.pendingWorld(),
    isActive: () => participation.isActive,
    async pause() {
      if (await participation.pause())
        logger.warn('this node stopped taking part in consensus until it is resumed', { address });
    },
    async resume() {
      if (await participation.resume()) logger.info('this node takes part in consensus again', { address });
    },
    async stop() {
      forgetBlocks();
      forgetTransactions();
      forConsensus.stop();
      await participation.stop();
    },
  };
}

function troubleOf(
  { isActive, current: engine }: Participation,
  ledger: Pick<LedgerForConsensus, 'trouble'>,
): ConsensusTrouble | undefined {
  if (!isActive) return undefined;
  const own = engine.trouble() ?? ledger.trouble;
  return own === undefined ? disagreement(engine.status()) : { isOwn: true, reason: own };
}

function disagreement({
  height,
  round,
  lapses,
}: ReturnType<BftEngine['status']>): ConsensusTrouble | undefined {
  if (lapses < LAPSES_OF_TROUBLE) return undefined;
  const reason = `no agreement on block ${height}: round ${round} after ${lapses} time-outs`;
  return { isOwn: false, reason };
}
