import { addressFromPrivateKey, generatePrivateKey } from '@tetrad/crypto';
import type { Address } from '@tetrad/types';

/** A holder on the command line, and what is in the account. */
export interface Holding {
  readonly holder: { exit(to: string): Promise<string> };
  /** Of ether, all that is in the account. */
  readonly units: bigint;
}

/** A node that is busy with other steps refuses a call that takes too long. */
const MAX_TRIES = 5;

/** What the first holder's command said, or why it failed: it runs while other steps do. */
type Outcome = { readonly said: string } | { readonly failure: unknown };

/** A rollup whose operator is gone, and which a holder is leaving. */
export class RollupExit {
  private constructor(
    readonly contract: Address,
    readonly holdings: readonly Holding[],
    readonly recipients: readonly Address[],
    readonly first: Promise<Outcome>,
  ) {}

  /** The first holder asks the contract for its money, and waits as long as the operator would have to serve. */
  static begin(contract: Address, holdings: readonly Holding[]): RollupExit {
    const recipients = holdings.map(() => addressFromPrivateKey(generatePrivateKey()));
    const [holding] = holdings as [Holding];
    const first = leave(holding, recipients[0] as Address).then(
      (said) => ({ said }),
      (failure: unknown) => ({ failure }),
    );
    return new RollupExit(contract, holdings, recipients, first);
  }
}

/**
 * Has a holder leave. The command keeps nothing, and goes on where the chain is when it is run again.
 *
 * @param holding - of the holder
 * @param to - who is paid
 * @returns what the command said that was done with it
 * @throws what it fails with for the last time
 */
export async function leave({ holder }: Holding, to: Address): Promise<string> {
  for (let tries = 1; tries < MAX_TRIES; tries += 1) {
    const said = await holder.exit(to).catch(() => undefined);
    if (said !== undefined) return said;
  }
  return holder.exit(to);
}
