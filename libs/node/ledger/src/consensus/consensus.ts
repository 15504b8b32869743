import { BftEngine, type ConsensusNetwork, type MessageVerdict } from '@tetrad/node-consensus-bft';
import { addressFromPrivateKey, encodeSignature65, signDigest } from '@tetrad/crypto';
import type { WorldState } from '@tetrad/node-execution';
import type { ConsensusRecords } from '@tetrad/node-store';
import type { Address, Clock, Logger, Metrics } from '@tetrad/types';
import type { Ledger } from '../ledger.js';
import type { TransactionPool } from '../transaction-pool.js';
import type { ValidatorCandidates } from '../validator-candidates.js';
import { BlockBuilder } from './block-builder.js';
import { LedgerForConsensus } from './consensus-ledger.js';
import { dueTimes, heightContext, turnOf } from './height-context.js';
import { ValidatorDiary } from './validator-diary.js';

/** Time-outs of one height after which an operator should look; two may pass when a validator is down. */
const LAPSES_OF_TROUBLE = 4;

export interface ConsensusOptions {
  readonly ledger: Ledger;
  readonly pool: TransactionPool;
  readonly candidates: ValidatorCandidates;
  /** The node key; whether it is a validator's shows with every block. */
  readonly privateKey: Uint8Array;
  /** What this key signed, stored before it is sent. */
  readonly records: ConsensusRecords;
  readonly network: ConsensusNetwork;
  /** Time between blocks in place of that of the genesis file. */
  readonly blockPeriodMs?: number | undefined;
  /** Hears that others are far ahead, so that blocks should be fetched. */
  readonly onBehind?: (height: number) => void;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly isDatabaseAway: (error: unknown) => boolean;
}

/** A node's part in deciding on blocks. */
export interface Consensus {
  /** Address of the node key. */
  readonly address: Address;
  /** Takes a message from a peer. Never throws. */
  onMessage(message: Uint8Array): MessageVerdict;
  /** Why no block comes at the moment; undefined when all is well. */
  trouble(): string | undefined;
  /** The state of the block in the making, to read or to try things in. */
  pendingWorld(): Promise<WorldState>;
  /** Resolves when nothing is in the making any more; what is not in a block stays in the pool. */
  stop(): Promise<void>;
}

/** Takes part in consensus from the head on. Fails: MessageError when the stored record is damaged. */
export async function startConsensus(options: ConsensusOptions): Promise<Consensus> {
  const { ledger, pool, records, privateKey, clock } = options;
  const address = addressFromPrivateKey(privateKey);
  const builder = new BlockBuilder({ ...options, proposer: address });
  let parentTurnMs = clock.now();
  const hasWork = () => pool.status().pending > 0;
  const times = () => dueTimes(ledger, { blockPeriodMs: options.blockPeriodMs }, parentTurnMs);
  let next = times();
  const forConsensus = new LedgerForConsensus({ ...options, builder, times });
  const engine = new BftEngine({
    ...options,
    ...{ address, ledger: forConsensus },
    sign: (digest) => encodeSignature65(signDigest(digest, privateKey)),
    formatAt: (height) => ledger.rules.settingsAt(height).engine,
    persist: (record, view) => records.save(address, { ...view, record }),
  });
  const context = () => {
    next = times();
    const { periodEndsMs, idleEndsMs } = next;
    return heightContext(ledger, { periodEndsMs, idleEndsMs: hasWork() ? periodEndsMs : idleEndsMs });
  };
  const diary = new ValidatorDiary(address, options.logger);
  const start = context();
  diary.began(start);
  engine.start(await records.find(address), start);
  const forgetBlocks = ledger.onBlock((block) => {
    const seenMs = forConsensus.seenMs(block) ?? clock.now();
    parentTurnMs = turnOf({ dueMs: next.periodEndsMs, seenMs }, next.periodMs);
    forConsensus.forget();
    const above = context();
    diary.began(above);
    engine.onHead(above);
  });
  const forgetTransactions = pool.onTransaction(() => {
    // What waits behind a gap is no reason for a block.
    if (hasWork()) engine.onWork();
  });
  return {
    address,
    onMessage: (message) => engine.onMessage(message),
    trouble: () => engine.trouble() ?? forConsensus.trouble ?? disagreement(engine.status()),
    pendingWorld: () => builder.pendingWorld(),
    async stop() {
      forgetBlocks();
      forgetTransactions();
      forConsensus.stop();
      await engine.stop();
    },
  };
}

function disagreement({ height, round, lapses }: ReturnType<BftEngine['status']>): string | undefined {
  if (lapses < LAPSES_OF_TROUBLE) return undefined;
  return `no agreement on block ${height}: round ${round} after ${lapses} time-outs`;
}
