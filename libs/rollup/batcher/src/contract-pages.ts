import { isDeepStrictEqual } from 'node:util';
import {
  DeepReorganisationError,
  type ChainPage,
  type PageStore,
  type PlacedEvent,
  publishedBatch,
  type AcceptedBatch,
  type PublishedBatch,
} from '@tetrad/rollup-chain';
import { decodeProvingInput, UnreadableBatchError, type Sequencer } from '@tetrad/rollup-sequencer';
import { MAX_TOKENS } from '@tetrad/rollup-state';
import type {
  ChainBlock,
  ChainEvents,
  FrozenRollup,
  RollupStore,
  StoredBatch,
  StoredRequest,
} from '@tetrad/rollup-store';
import { OperatorError, type Logger } from '@tetrad/types';
import { KNOWN_BLOCKS } from './params.js';
import { requestedRow } from './requested-row.js';

const FIELDS = [
  'nextStateRoot',
  'ordersRoot',
  'ciphertextCommitment',
  'headers',
  'recipients',
  'leaves',
  'orders',
  'ciphertexts',
] as const satisfies readonly (keyof PublishedBatch)[];

/**
 * Whether two batches are the same in all that the contract publishes. The state root alone does not say who is paid by a
 * transfer out, nor what its texts are.
 */
export function isSameBatch(one: PublishedBatch, other: PublishedBatch): boolean {
  return FIELDS.every((field) => isDeepStrictEqual(one[field], other[field]));
}

/** The chain has another batch than the one that is final here, or one that cannot be taken over (docs/adr/0155). */
export class ForeignBatchError extends OperatorError {
  override readonly name = 'ForeignBatchError';
}

export interface PagesOptions {
  readonly store: RollupStore;
  /** What takes over batches of others. */
  readonly sequencer: Pick<Sequencer, 'adopt' | 'domain'>;
  readonly logger: Logger;
}

/**
 * Keeps in the operator's rows what the contract says: tokens, deposits and requests, and which batches are final. Every
 * part may be done twice, and the cursor moves last.
 */
export class ContractPages implements PageStore {
  private readonly store: RollupStore;
  private readonly sequencer: PagesOptions['sequencer'];
  private readonly logger: Logger;

  constructor({ store, sequencer, logger }: PagesOptions) {
    this.store = store;
    this.sequencer = sequencer;
    this.logger = logger;
  }

  blocks(): Promise<ChainBlock[]> {
    return this.store.listChainBlocks(KNOWN_BLOCKS);
  }

  /** @throws ForeignBatchError */
  async storePage({ cursor, events }: ChainPage): Promise<void> {
    for (const placed of events) {
      if (placed.event.kind === 'batch') await this.finalize(placed.event, { placed, events });
    }
    const blocks = new Map(events.map(({ blockNumber, blockHash }) => [blockNumber, blockHash]));
    blocks.set(cursor.number, cursor.hash);
    const rows = [...blocks].map(([number, hash]) => ({ number, hash })).sort((a, b) => a.number - b.number);
    await this.store.advanceChain(await this.rowsOf(events), rows);
  }

  /**
   * Takes back batches that hold a deposit which is not there any more, then what the blocks said.
   * @throws DeepReorganisationError when such a batch, or one that was in these blocks, is final
   */
  async rewind(toNumber: number): Promise<void> {
    const final = await this.store.findBatch(await this.store.finalHeight());
    if (final?.blockNumber !== undefined && final.blockNumber > toNumber) {
      throw new DeepReorganisationError(
        `block ${final.blockNumber} was replaced after batch ${final.height} in it had become final`,
      );
    }
    this.logger.warn('the chain was reorganised below what was read', { toNumber });
    if (await this.store.rewindChain(toNumber)) return;
    // Nothing after the last final batch is anywhere but in these rows: it is executed again.
    const height = (final?.height ?? 0) + 1;
    await this.store.sequence((step) => step.rewind(height));
    if (!(await this.store.rewindChain(toNumber)))
      throw new DeepReorganisationError(`a final batch took a deposit of a block above ${toNumber}`);
  }

  private async finalize(
    event: AcceptedBatch,
    { placed: place, events }: { readonly placed: PlacedEvent; readonly events: readonly PlacedEvent[] },
  ): Promise<void> {
    const { height } = event;
    const { blockNumber, blockHash, transactionHash } = place;
    const own = await this.store.findBatch(height);
    // Of a final batch nothing is left to compare but the transaction that it was in.
    if (own?.state === 'final' && own.transactionHash === transactionHash) return;
    await this.endSubmissions(height, place);
    if (own === undefined || !(await this.isOwn(own, event))) {
      await this.adopt(event, { own, place, events });
    } else {
      const made = await this.store.changeBatch(
        { height, from: own.state, stateRoot: event.nextStateRoot },
        { state: 'final', blockNumber, blockHash, transactionHash },
      );
      // A prover may have moved it on meanwhile: the page is read again.
      if (!made) throw new Error(`batch ${height} changed while it was made final`);
    }
    this.logger.info('batch final', { height, blockNumber });
  }

  /** Whether the row equals the batch on the chain in all that is published, not only in its state, which lacks the payees. */
  private async isOwn({ height, roots }: StoredBatch, event: AcceptedBatch): Promise<boolean> {
    if (roots?.state !== event.nextStateRoot) return false;
    const proving = await this.store.readProving(height);
    if (proving === undefined) return false;
    const { witness, ciphertexts } = decodeProvingInput(proving);
    return isSameBatch(publishedBatch(witness.publicInputs, ciphertexts), event);
  }

  /** Deposits that it takes may be in the same page: they are stored before, and the cursor does not move. */
  private async adopt(
    event: AcceptedBatch,
    {
      own,
      place: { blockNumber, blockHash, transactionHash },
      events,
    }: {
      readonly own: StoredBatch | undefined;
      readonly place: PlacedEvent;
      readonly events: readonly PlacedEvent[];
    },
  ): Promise<void> {
    const { height, submitter } = event;
    const what = `batch ${height} on the chain is of ${submitter} and not what this operator made`;
    if (own?.state === 'final') throw new ForeignBatchError(`${what}, which it holds for final`);
    await this.store.addChainEvents(await this.rowsOf(events));
    try {
      await this.sequencer.adopt({ ...event, at: { blockNumber, blockHash, transactionHash } });
    } catch (error) {
      if (!(error instanceof UnreadableBatchError)) throw error;
      throw new ForeignBatchError(`${what}: ${error.message}`, { cause: error });
    }
    this.logger.warn('batch of another submitter adopted', { height, submitter });
  }

  private async rowsOf(events: readonly PlacedEvent[]): Promise<ChainEvents> {
    const first = events.find(({ event }) => event.kind === 'batch')?.event as AcceptedBatch | undefined;
    // A page may come again, when its batches are final already.
    const height = first === undefined ? await this.store.finalHeight() : first.height - 1;
    return chainEvents(events, { domain: this.sequencer.domain, height });
  }

  /** Of the transactions that were sent for a batch one was taken. */
  private async endSubmissions(height: number, { transactionHash }: PlacedEvent): Promise<void> {
    for (const sent of await this.store.listSubmissions(height)) {
      if (sent.transactionHash === transactionHash)
        await this.store.changeSubmission(sent.transactionHash, { state: 'included' });
      else if (sent.state === 'sent')
        await this.store.changeSubmission(sent.transactionHash, { state: 'dropped', failure: 'NonceUsed' });
    }
  }
}

/**
 * What of a page is kept beside the batches.
 * @param options.height - of the last batch before the page
 */
function chainEvents(
  placed: readonly PlacedEvent[],
  { domain, height: before }: { readonly domain: bigint; readonly height: number },
): ChainEvents {
  let height = before;
  const tokens: ChainEvents['tokens'][number][] = [];
  const deposits: ChainEvents['deposits'][number][] = [];
  const requests: ChainEvents['requests'][number][] = [];
  const requested: StoredRequest[] = [];
  const batches: number[] = [];
  let frozen: FrozenRollup | undefined;
  for (const { event, blockNumber, logIndex } of placed) {
    if (event.kind === 'batch') batches.push((height = event.height));
    else if (event.kind === 'token') {
      const { tokenId, token, unit } = event;
      tokens.push({ tokenId, address: token, unit, blockNumber });
    } else if (event.kind === 'inbound') {
      const { index, accountId, tokenId, amount, from } = event;
      deposits.push({ index, accountId, tokenId, amount, sender: from, blockNumber });
    } else if (event.kind === 'requested') {
      const { accountId, recipient, tokenId, amount, overdueAt } = event;
      // Requests without a proof are free of charge; one for a token that there cannot be is never served.
      if (tokenId >= MAX_TOKENS) continue;
      requests.push({ accountId, recipient, tokenId, amount, overdueAt, blockNumber, logIndex });
    } else if (event.kind === 'transferRequested' || event.kind === 'redemptionRequested') {
      requested.push(requestedRow(event, { blockNumber, logIndex, height }, domain));
    } else if (event.kind === 'frozen') frozen = { height: event.height, blockNumber };
  }
  return { tokens, deposits, requests, requested, frozen, batches };
}
