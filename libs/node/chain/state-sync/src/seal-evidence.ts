import type { ValidatorSnapshot } from '@tetrad/node-consensus-bft';
import { HeaderChain, type BftChain } from '@tetrad/node-consensus-bft-chain';
import { MAX_REQUESTED_HEADERS } from '@tetrad/node-peer';
import type { LedgerStore } from '@tetrad/node-store';
import type { SealedHeader } from '@tetrad/types';
import type { HeaderEvidence, KnownHeader } from './header-evidence.js';
import type { VerifiedSource } from './verified-source.js';

/** Validators have sealed each header. */
export class SealEvidence implements HeaderEvidence<ValidatorSnapshot> {
  constructor(
    private readonly chain: BftChain,
    private readonly store: Pick<LedgerStore, 'findBlockByNumber'>,
  ) {}

  async gather(): Promise<undefined> {
    return undefined;
  }

  spanAfter(): number {
    return MAX_REQUESTED_HEADERS;
  }

  verify(
    headers: readonly SealedHeader[],
    after: KnownHeader<ValidatorSnapshot>,
    source: VerifiedSource,
  ): Promise<KnownHeader<ValidatorSnapshot>[]> {
    return this.chainFrom(source).verify(headers, after);
  }

  /** Headers that are known to be of the chain, whatever their seals. */
  link(
    headers: readonly SealedHeader[],
    after: KnownHeader<ValidatorSnapshot>,
    source: VerifiedSource,
  ): Promise<KnownHeader<ValidatorSnapshot>[]> {
    return this.chainFrom(source).link(headers, after);
  }

  settle(
    last: KnownHeader<ValidatorSnapshot>,
    source: VerifiedSource,
  ): Promise<KnownHeader<ValidatorSnapshot>> {
    return this.chainFrom(source).settle(last);
  }

  private chainFrom(source: VerifiedSource): HeaderChain {
    return new HeaderChain(this.chain, {
      witness: (number) => source.validators(number),
      findHash: async (number) => (await this.store.findBlockByNumber(number))?.hash,
    });
  }
}
