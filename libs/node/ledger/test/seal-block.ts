import { addressFromPrivateKey, encodeSignature65, signDigest } from '@tetrad/crypto';
import {
  DIFFICULTY,
  EMPTY_OMMERS_HASH,
  ISTANBUL_MIX_HASH,
  commitDigest,
  committedHeader,
  hashHeader,
  proposalHeader,
  type ValidatorVote,
} from '@tetrad/node-consensus-bft';
import type { Address, Block, BlockHeader, SignedTransaction } from '@tetrad/types';
import type { ChainRules, Ledger } from '../src/index.js';
import { forkFields } from '../src/header-fields.js';

export interface SealRequest {
  readonly format: 'qbft' | 'ibft';
  /** Final but for what the format decides; the beneficiary is the proposer. */
  readonly header: BlockHeader;
  readonly validators: readonly Address[];
  readonly proposerKey: Uint8Array;
  /** Who seals it. */
  readonly keys: readonly Uint8Array[];
  readonly vote?: ValidatorVote | undefined;
}

/** The header with the seals of the keys, as a network of them makes it. */
export function sealHeader(request: SealRequest): BlockHeader {
  const { format, header, validators, proposerKey, keys, vote } = request;
  const proposed = proposalHeader({
    ...{ format, header, validators, privateKey: proposerKey, vanity: new Uint8Array(32) },
    proposer: header.beneficiary,
    ...(vote === undefined ? {} : { vote }),
  });
  const digest = commitDigest(format, proposed, 0);
  const seals = keys.map((key) => encodeSignature65(signDigest(digest, key)));
  return committedHeader(format, proposed, { round: 0, seals });
}

export interface NextBlock {
  readonly proposerKey: Uint8Array;
  readonly keys: readonly Uint8Array[];
  readonly vote?: ValidatorVote | undefined;
  readonly transactions?: readonly SignedTransaction[];
}

/** What of a ledger a block is made with. */
type LedgerForBlocks = Pick<Ledger, 'head' | 'executor' | 'worldAt' | 'contextFor' | 'snapshot'> & {
  readonly rules: Pick<ChainRules, 'settingsAt' | 'listedIn'>;
  execute(...input: Parameters<Ledger['execute']>): Pick<ReturnType<Ledger['execute']>, 'addAll' | 'finish'>;
};

/** A block on top of the head, executed and sealed. */
export async function nextBlock(ledger: LedgerForBlocks, next: NextBlock): Promise<Block> {
  const { proposerKey, keys, vote, transactions = [] } = next;
  const parent = ledger.head();
  const number = parent.header.number + 1;
  const { engine, blockPeriodMs } = ledger.rules.settingsAt(number);
  const timestamp = parent.header.timestamp + Math.floor(blockPeriodMs / 1000);
  const rules = ledger.executor.rules({ number, timestamp });
  const { gasLimit } = parent.header;
  const proposer = addressFromPrivateKey(proposerKey);
  const common = { number, timestamp, gasLimit, difficulty: DIFFICULTY, mixHash: ISTANBUL_MIX_HASH };
  const context = ledger.contextFor({ ...common, proposer, ...forkFields(rules) });
  const execution = ledger.execute(context, await ledger.worldAt(parent));
  await execution.addAll(transactions);
  const executed = await execution.finish();
  const header = sealHeader({
    format: engine,
    header: {
      ...common,
      parentHash: parent.hash,
      ommersHash: EMPTY_OMMERS_HASH,
      beneficiary: proposer,
      stateRoot: executed.changes.stateRoot,
      transactionsRoot: executed.transactionsRoot,
      receiptsRoot: executed.receiptsRoot,
      logsBloom: executed.logsBloom,
      gasUsed: executed.gasUsed,
      extraData: new Uint8Array(0),
      nonce: new Uint8Array(8),
      ...forkFields(rules),
    },
    validators: ledger.rules.listedIn(number, ledger.snapshot()),
    ...{ proposerKey, keys, vote },
  });
  return { hash: hashHeader(header), header, transactions: [...transactions] };
}
