import { addressFromPrivateKey, encodeSignature65, signDigest } from '@tetrad/crypto';
import { commitDigest, committedHeader, hashHeader, type ValidatorVote } from '@tetrad/node-consensus-bft';
import { sealedProposal } from '../../consensus-bft/test/sealed-proposal.js';
import type { WorldState } from '@tetrad/node-execution';
import { draftHeader, type ExecutedBlock } from '@tetrad/node-ledger';
import type { Address, Block, BlockHeader, Hash, SignedTransaction } from '@tetrad/types';
import type { BftChain, BftChainRules } from '../src/index.js';

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
  const proposal = { format, header, validators, vanity: new Uint8Array(32), proposer: header.beneficiary };
  const proposed = sealedProposal({ ...proposal, ...(vote === undefined ? {} : { vote }) }, proposerKey);
  const digest = commitDigest(format, proposed, 0);
  const seals = keys.map((key) => encodeSignature65(signDigest(digest, key)));
  return committedHeader(format, proposed, { round: 0, seals });
}

export interface NextBlock {
  readonly proposerKey: Uint8Array;
  readonly keys: readonly Uint8Array[];
  readonly vote?: ValidatorVote | undefined;
  readonly transactions?: readonly SignedTransaction[];
  /** That of the parent when absent. */
  readonly gasLimit?: bigint;
  /** That of the head when absent. */
  readonly parentHash?: Hash;
  /** Changes the state beside the transactions, which no execution of the block repeats. */
  readonly change?: (world: WorldState) => Promise<void>;
}

/** What of a chain a block is made with. */
export interface ChainToGrow extends Pick<BftChain, 'ledger'> {
  readonly rules: Pick<BftChainRules, 'settingsAt' | 'listedIn' | 'nextContext'>;
}

/** A block on top of the head, executed and sealed. */
export async function nextBlock(chain: ChainToGrow, next: NextBlock): Promise<Block> {
  return (await makeBlock(chain, next)).block;
}

/** The same, with the result of its execution. */
export async function makeBlock(
  { ledger, rules }: ChainToGrow,
  next: NextBlock,
): Promise<{ readonly block: Block; readonly executed: ExecutedBlock }> {
  const { proposerKey, keys, vote, transactions = [] } = next;
  const parent = ledger.head();
  const number = parent.header.number + 1;
  const { engine, blockPeriodMs } = rules.settingsAt(number);
  const timestamp = parent.header.timestamp + BigInt(Math.floor(blockPeriodMs / 1000));
  const proposer = addressFromPrivateKey(proposerKey);
  const usual = rules.nextContext(parent.header, { proposer, timestamp });
  const context = ledger.contextAbove({ ...usual, gasLimit: next.gasLimit ?? parent.header.gasLimit });
  const execution = ledger.execute(context, await ledger.worldAt(parent));
  await execution.addAll(transactions);
  await next.change?.(execution.world);
  const executed = await execution.finish();
  const { stateRoot } = executed.changes;
  const header = sealHeader({
    format: engine,
    header: draftHeader({
      parentHash: next.parentHash ?? parent.hash,
      timestamp,
      block: context,
      fork: ledger.executor.rules(context),
      commitments: { ...executed, stateRoot },
    }),
    validators: rules.listedIn(number, ledger.snapshot()),
    proposerKey,
    keys,
    vote,
  });
  return { block: { hash: hashHeader(header), header, transactions: [...transactions] }, executed };
}
