import type { ValidatorSnapshot } from '@tetrad/node-consensus-bft';
import type { BftChain } from '@tetrad/node-consensus-bft-chain';
import type { LedgerStore } from '@tetrad/node-store';
import { OperatorError, type Clock, type SealedHeader } from '@tetrad/types';
import type { Checkpoint } from './header-download.js';
import type { HeaderEvidence, KnownHeader } from './header-evidence.js';
import { LinkedHeaders } from './linked-headers.js';
import { SealEvidence } from './seal-evidence.js';
import type { SourcePool } from './source-pool.js';
import type { VerifiedSource } from './verified-source.js';

export interface CheckpointEvidenceOptions {
  readonly chain: BftChain;
  readonly store: Pick<LedgerStore, 'findBlockByNumber'>;
  readonly checkpoint: Checkpoint;
  readonly pool: SourcePool;
  readonly clock: Clock;
}

/**
 * An operator's checkpoint is trusted: headers that lead to it are those of the chain, and those after it are sealed. Seals before it are
 * not checked, and not kept, since they are in no hash: another node would take false ones for a fault of this one.
 */
export class CheckpointEvidence implements HeaderEvidence<ValidatorSnapshot> {
  private readonly linked: LinkedHeaders;
  private readonly seals: SealEvidence;

  constructor(private readonly options: CheckpointEvidenceOptions) {
    const { chain, store, pool, clock } = options;
    const hashOf = chain.rules.hashHeader.bind(chain.rules);
    this.linked = new LinkedHeaders({ hashOf, what: 'the checkpoint', pool, clock });
    this.seals = new SealEvidence(chain, store);
  }

  /** @throws OperatorError when the headers in the database do not lead to the checkpoint */
  async gather({ block }: KnownHeader<ValidatorSnapshot>): Promise<undefined> {
    const { checkpoint } = this.options;
    const { number } = block.header;
    if (number >= checkpoint.number) return;
    const below = await this.linked.gather(checkpoint, number);
    if (below.hash !== block.hash)
      throw new OperatorError(
        `--checkpoint: block ${number} of this database is not one that the checkpoint leads to; ` +
          'compare the checkpoint with other members, and empty the database if it is right',
      );
  }

  spanAfter(number: number): number {
    return number < this.options.checkpoint.number ? this.linked.spanAfter(number) : this.seals.spanAfter();
  }

  /** @throws InvalidBlockError where a rule is broken; SourceError when there are less than lead to the checkpoint */
  async verify(
    headers: readonly SealedHeader[],
    after: KnownHeader<ValidatorSnapshot>,
    source: VerifiedSource,
  ): Promise<KnownHeader<ValidatorSnapshot>[]> {
    const { checkpoint, chain } = this.options;
    if (after.block.header.number >= checkpoint.number) return this.seals.verify(headers, after, source);
    const last = headers.at(-1);
    if (last !== undefined) this.linked.assertEnd(last);
    const bare = headers.map(({ header, hash }) => ({ hash, header: chain.rules.withoutSeals(header) }));
    return this.seals.link(bare, after, source);
  }

  settle(
    last: KnownHeader<ValidatorSnapshot>,
    source: VerifiedSource,
  ): Promise<KnownHeader<ValidatorSnapshot>> {
    return this.seals.settle(last, source);
  }
}
