import type { Following } from '@tetrad/node-private-state';
import {
  parseTraceHeaders,
  keepNewest,
  type Block,
  type Clock,
  type Hash,
  type TraceHeaders,
  type Tracer,
} from '@tetrad/types';

/** Sampled transactions on their way to a block; the oldest are forgotten. */
const MAX_TRANSACTIONS = 4_096;

interface Position {
  /** The span that brought the transaction here. */
  readonly below: TraceHeaders;
  /** When this node got it, in milliseconds since the epoch. */
  readonly startMs: number;
}

/**
 * The traces of sampled transactions from the pool to the block. A block has many transactions and no trace of its own,
 * so that what a node does with a block is recorded in the trace of each traced transaction in it.
 */
export class TransactionTraces {
  private readonly positions = new Map<Hash, Position>();

  constructor(
    private readonly tracer: Tracer,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /** The pool accepted a transaction, as part of the current span if there is one. */
  accepted(hash: Hash): void {
    this.tracer.annotate({ 'tetrad.transaction_hash': hash });
    if (!this.positions.has(hash)) this.received(hash, this.tracer.headers());
  }

  /** A transaction came with the headers of its trace. */
  received(hash: Hash, below: TraceHeaders): void {
    if (parseTraceHeaders(below)?.isSampled !== true) return;
    this.positions.set(hash, { below, startMs: this.clock.now() });
    keepNewest(this.positions, MAX_TRANSACTIONS);
  }

  /** The trace of a transaction, for the nodes that it is passed on to. */
  of(hash: Hash): TraceHeaders | undefined {
    return this.positions.get(hash)?.below;
  }

  /** The block is stored, and with it its transactions are final on this node. */
  stored({ header, transactions }: Block): void {
    if (this.positions.size === 0) return;
    for (const { hash } of transactions) {
      const position = this.positions.get(hash);
      if (position === undefined) continue;
      const values = { 'tetrad.transaction_hash': hash, 'tetrad.block_number': header.number };
      this.tracer.record('import block with transaction', { ...position, values });
    }
  }

  /** Follows blocks in a span of the first traced transaction in each, with all requests to the manager. */
  follow(following: Following<Block>): Following<Block> {
    return {
      findHead: () => following.findHead(),
      follow: (block) => {
        const below = block.transactions.map(({ hash }) => this.of(hash)).find((one) => one !== undefined);
        if (below === undefined) return following.follow(block);
        const values = { 'tetrad.block_number': block.header.number };
        return this.tracer.run('follow private block', () => following.follow(block), { below, values });
      },
    };
  }
}
