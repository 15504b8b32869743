import { isPrivateTransaction, stageOf } from '@tetrad/node-execution';
import type { Ledger } from '@tetrad/node-ledger';
import { runRecorded, transactionsOf, type Admission, type ReplayParts } from '@tetrad/node-simulation';
import { RequestError, type Block, type MinedReceipt } from '@tetrad/types';
import { SCOPE, type PartyScope } from './address-key.js';
import { BlockEntries, type IndexedEntry } from './block-entries.js';
import { ROLE } from './entries.js';
import { PartyRecorder } from './party-recorder.js';
import { tokenParties } from './token-parties.js';

/** What the entries of a block are made from. */
export interface CollectingParts extends ReplayParts {
  readonly ledger: Pick<Ledger, 'executor' | 'genesis' | 'replay' | 'listReceipts'>;
  readonly receipts: ReplayParts['receipts'] & {
    list(block: Block): Promise<readonly MinedReceipt[]>;
    findMarked(marker: MinedReceipt): Promise<MinedReceipt | undefined>;
    isMarker(mined: MinedReceipt): boolean;
  };
}

export interface CollectedBlock {
  readonly entries: readonly IndexedEntry[];
  /** Whether calls between contracts are among them; not where the state before the block was removed. */
  readonly hasCalls: boolean;
}

/** Gas of a transfer of wei to an account without code. */
const TRANSFER_GAS = 21_000n;

/**
 * The entries of a block, from its receipts and from executing it again.
 * @throws RequestError PRIVATE_STATE_NOT_AVAILABLE while private state is behind the block; ExecutionAbortedError
 */
export async function collectBlock(
  parts: CollectingParts,
  block: Block,
  { hashKey, admission }: { readonly hashKey: Uint8Array; readonly admission: Admission },
): Promise<CollectedBlock> {
  const entries = new BlockEntries(block.header.number, hashKey);
  const mined = await parts.ledger.listReceipts(block);
  for (const [index, receipt] of mined.entries()) {
    noteReceipt(entries, SCOPE.public, index, receipt);
    if (isPrivateTransaction(receipt.transaction) || parts.receipts.isMarker(receipt))
      entries.notePrivate(index);
  }
  const executed = await noteCalls(parts, block, { entries, mined, admission });
  if (parts.receipts.hasPrivateWork(block))
    await notePrivate(parts, block, { entries, executed: executed ?? new Set() });
  return { entries: entries.list(), hasCalls: executed !== undefined };
}

function noteReceipt(
  entries: BlockEntries,
  scope: PartyScope,
  index: number,
  { transaction, receipt }: MinedReceipt,
): void {
  const { sender, to } = transaction;
  entries.note(scope, index, { address: sender, role: ROLE.sent });
  if (to !== undefined) entries.note(scope, index, { address: to, role: ROLE.received });
  const { contractAddress } = receipt;
  if (contractAddress !== undefined)
    entries.note(scope, index, { address: contractAddress, role: ROLE.created });
  for (const log of receipt.logs)
    for (const address of tokenParties(log)) entries.note(scope, index, { address, role: ROLE.moved });
}

/**
 * Notes who called whom.
 * @returns the private transactions that this node has executed, by their index; undefined without the state
 */
async function noteCalls(
  parts: CollectingParts,
  block: Block,
  {
    entries,
    mined,
    admission,
  }: {
    readonly entries: BlockEntries;
    readonly mined: readonly MinedReceipt[];
    readonly admission: Admission;
  },
): Promise<ReadonlySet<number> | undefined> {
  const executed = new Set<number>();
  if (block.header.number === 0 || mined.every(isPlainTransfer)) return executed;
  try {
    for await (const { transaction, index, subject, simulation } of transactionsOf(parts, block, admission)) {
      const scope = subject === transaction ? SCOPE.public : SCOPE.private;
      const recorder = new PartyRecorder((address, role) => entries.note(scope, index, { address, role }));
      await runRecorded(stageOf(simulation), subject, recorder);
      if (recorder.started && subject !== transaction) executed.add(index);
    }
    return executed;
  } catch (error) {
    if (error instanceof RequestError && error.code === 'STATE_NOT_AVAILABLE') return undefined;
    throw error;
  }
}

function isPlainTransfer({ transaction, receipt }: MinedReceipt): boolean {
  return (
    transaction.to !== undefined &&
    transaction.data.length === 0 &&
    receipt.gasUsed === TRANSFER_GAS &&
    !isPrivateTransaction(transaction)
  );
}

/** Notes what the receipts of private transactions have, of those that this node is a party to. */
async function notePrivate(
  { receipts }: CollectingParts,
  block: Block,
  { entries, executed }: { readonly entries: BlockEntries; readonly executed: ReadonlySet<number> },
): Promise<void> {
  for (const [index, mined] of (await receipts.list(block)).entries()) {
    if (executed.has(index)) noteReceipt(entries, SCOPE.private, index, mined);
    const marked = await receipts.findMarked(mined);
    if (marked !== undefined) noteReceipt(entries, SCOPE.private, index, marked);
  }
}
