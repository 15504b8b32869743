import { OperatorError, type Clock, type SealedHeader } from '@tetrad/types';
import type { HeaderEvidence, JoinedChain, KnownHeader } from './header-evidence.js';
import { LinkedHeaders, type NamedBlock } from './linked-headers.js';
import type { SourcePool } from './source-pool.js';

/** A block of the log. */
export type LoggedBlock = NamedBlock;

export interface LogEvidenceOptions<Snapshot> {
  readonly chain: JoinedChain<Snapshot>;
  /** The newest block of the log; undefined while there is no log. */
  readonly newest: () => Promise<LoggedBlock | undefined>;
  readonly pool: SourcePool;
  readonly clock: Clock;
}

/** A log orders the blocks, and names the newest one, so it decides about all headers that lead to it. */
export class LogEvidence<Snapshot> implements HeaderEvidence<Snapshot> {
  private readonly linked: LinkedHeaders;

  constructor(private readonly options: LogEvidenceOptions<Snapshot>) {
    const { chain, pool, clock } = options;
    const hashOf = chain.rules.hashHeader.bind(chain.rules);
    this.linked = new LinkedHeaders({ hashOf, what: 'the newest block of the log', pool, clock });
  }

  /** @throws OperatorError when the headers in the database are not those of the log */
  async gather({ block }: KnownHeader<Snapshot>): Promise<number> {
    const newest = await this.options.newest();
    const { number } = block.header;
    // The newest block is left to be executed.
    if (newest === undefined || newest.number <= number + 1) return number;
    const below = await this.linked.gather(await this.linked.descend(newest, newest.number - 1), number);
    if (below.hash === block.hash) return newest.number - 1;
    throw new OperatorError(
      `block ${number} of this database is not the one that the log in etcd leads to; begin with an empty database`,
    );
  }

  spanAfter(number: number): number {
    return this.linked.spanAfter(number);
  }

  /** @throws InvalidBlockError when they do not lead to the end of their span; SourceError when there are less */
  async verify(
    headers: readonly SealedHeader[],
    after: KnownHeader<Snapshot>,
  ): Promise<KnownHeader<Snapshot>[]> {
    const { ledger, rules } = this.options.chain;
    const known: KnownHeader<Snapshot>[] = [];
    let last = after;
    for (const block of headers) {
      ledger.checkHeader(block, last.block, last.snapshot);
      const snapshot = rules.foreseeSnapshot(last.snapshot, block.header) ?? last.snapshot;
      last = { block, snapshot };
      known.push(last);
    }
    this.linked.assertEnd(last.block);
    return known;
  }

  async settle(last: KnownHeader<Snapshot>): Promise<KnownHeader<Snapshot>> {
    return last;
  }
}
