import type { AgreementStore, KeyPair } from '@tetrad/node-store';
import { keepNewest, type Address, type PtmKey } from '@tetrad/types';

export interface SharedContractsParts {
  readonly store: Pick<AgreementStore, 'listContract'>;
  /**
   * Parties of a contract of which this node has proof.
   * @throws RequestError TRANSACTION_MANAGER_UNAVAILABLE
   */
  readonly partiesOf: (contract: Address) => Promise<{ readonly parties: ReadonlySet<PtmKey> }>;
}

/** Pairs of a contract and a party that are remembered. */
const MAX_REMEMBERED = 10_000;

/**
 * Which contracts another party has, as far as this node has proof: it was a party of the creation, the contract was extended to
 * it, or this node sent it a transaction to the contract.
 *
 * Of a transaction that entered any other contract nothing is disclosed: a party could send a transaction that reads a contract it
 * has no part in, and learn from status, gas or a storage root what it read.
 */
export class SharedContracts {
  /** A party is never taken from a contract. */
  private readonly proved = new Set<string>();

  constructor(private readonly parts: SharedContractsParts) {}

  /** @throws RequestError TRANSACTION_MANAGER_UNAVAILABLE */
  async isShared(contract: Address, { own, other }: KeyPair): Promise<boolean> {
    const name = `${contract} ${other}`;
    if (this.proved.has(name)) return true;
    const isProved =
      (await this.parts.partiesOf(contract)).parties.has(other) ||
      (await this.parts.store.listContract(contract)).some(
        (row) => row.isShared && row.own === own && row.other === other,
      );
    if (isProved) this.remember(name);
    return isProved;
  }

  private remember(name: string): void {
    this.proved.add(name);
    keepNewest(this.proved, MAX_REMEMBERED);
  }
}
