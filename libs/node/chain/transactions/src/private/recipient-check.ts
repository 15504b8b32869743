import {
  RequestError,
  fullBucket,
  takeTokens,
  keepNewest,
  type Address,
  type BucketRate,
  type Clock,
  type Logger,
  type PtmKey,
} from '@tetrad/types';
import type { Distribution } from './distribution.js';

/** Parties of a contract as far as this node has proof of them. */
export interface ContractParties {
  readonly parties: ReadonlySet<PtmKey>;
  /** Those of them that are keys of this node's manager. */
  readonly own: ReadonlySet<PtmKey>;
}

export interface RecipientCheckParts {
  /**
   * Empty for a contract whose parties are not known.
   * @throws RequestError TRANSACTION_MANAGER_UNAVAILABLE
   */
  readonly partiesOf: (contract: Address) => Promise<ContractParties>;
  /** How far private state is: an extension adds a party to a contract in a block. */
  readonly blockNumber: () => number;
  /** Whether transactions that leave out parties are refused; a warning is logged otherwise. */
  readonly refuses: boolean;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
}

type Recipients = Pick<Distribution, 'from' | 'to' | 'privacyFlag' | 'allowSubset'>;

/** A contract, and the parties of it that a transaction is not sent to. */
interface LeftOut {
  readonly contract: Address;
  readonly keys: readonly PtmKey[];
}

/** Contracts whose parties are kept; the ones that were first asked for longest ago are dropped. */
const MAX_CONTRACTS = 1_000;
/** Contracts of one execution that are checked. */
const MAX_CHECKED = 64;
/** Checks for a warning at a time; further transactions are sent without one. */
const MAX_OPEN = 16;
/** Keys that a message names. */
const MAX_NAMED = 32;
const WARNINGS: BucketRate = { perSecond: 0.1, burst: 10 };

/**
 * Compares the recipients of a transaction of flag 0 with the parties of the contracts that it enters: private state of a party
 * that is left out diverges, and no other party notices. Contracts of the other flags have their parties checked by managers
 * and by the execution.
 */
export class RecipientCheck {
  private readonly known = new Map<
    Address,
    { readonly blockNumber: number; readonly found: Promise<ContractParties> }
  >();
  private bucket = fullBucket(WARNINGS, 0);
  private open = 0;

  constructor(private readonly parts: RecipientCheckParts) {}

  /**
   * Called before the payload is sent. Without refusals the transaction does not wait for the check.
   * @param contracts - private contracts that the transaction enters
   * @throws RequestError PARTIES_LEFT_OUT with the keys in its data, TRANSACTION_MANAGER_UNAVAILABLE; never without refusals
   */
  async check(contracts: readonly Address[], recipients: Recipients): Promise<void> {
    if (recipients.privacyFlag !== 0 || recipients.allowSubset === true || contracts.length === 0) return;
    if (this.parts.refuses) refuse(await this.findLeftOut(contracts, recipients));
    else if (this.open < MAX_OPEN) void this.warn(contracts, recipients);
  }

  private async warn(contracts: readonly Address[], recipients: Recipients): Promise<void> {
    this.open += 1;
    try {
      for (const { contract, keys } of await this.findLeftOut(contracts, recipients))
        if (this.mayWarn())
          this.parts.logger.warn('private transaction leaves out parties of a contract', {
            contract,
            keys: keys.slice(0, MAX_NAMED),
            count: keys.length,
          });
    } catch (error) {
      this.parts.logger.debug('recipients of a private transaction were not checked', { error });
    } finally {
      this.open -= 1;
    }
  }

  private async findLeftOut(
    contracts: readonly Address[],
    { from, to }: Recipients,
  ): Promise<readonly LeftOut[]> {
    const sentTo = new Set([...to, ...(from === undefined ? [] : [from])]);
    const leftOut: LeftOut[] = [];
    for (const contract of contracts.slice(0, MAX_CHECKED)) {
      const { parties, own } = await this.partiesOf(contract);
      const keys = [...parties].filter((key) => !own.has(key) && !sentTo.has(key));
      if (keys.length > 0) leftOut.push({ contract, keys });
    }
    return leftOut;
  }

  /** Asks once for a contract and block, however many transactions are sent. */
  private partiesOf(contract: Address): Promise<ContractParties> {
    const blockNumber = this.parts.blockNumber();
    const known = this.known.get(contract);
    if (known?.blockNumber === blockNumber) return known.found;
    const found = this.parts.partiesOf(contract);
    this.known.delete(contract);
    this.known.set(contract, { blockNumber, found });
    found.catch(() => {
      if (this.known.get(contract)?.found === found) this.known.delete(contract);
    });
    keepNewest(this.known, MAX_CONTRACTS);
    return found;
  }

  private mayWarn(): boolean {
    const taken = takeTokens(this.bucket, WARNINGS, { amount: 1, nowMs: this.parts.clock.now() });
    this.bucket = taken ?? this.bucket;
    return taken !== undefined;
  }
}

function refuse(leftOut: readonly LeftOut[]): void {
  const [first] = leftOut;
  if (first === undefined) return;
  const { contract } = first;
  const keys = [...new Set(leftOut.flatMap((one) => one.keys))];
  const named = keys.slice(0, MAX_NAMED).join(', ');
  const more = keys.length > MAX_NAMED ? ` and ${keys.length - MAX_NAMED} more` : '';
  throw new RequestError(
    'PARTIES_LEFT_OUT',
    `privateFor leaves out parties of contract ${contract}, which allowSubset would permit: ${named}${more}`,
    { contract, keys: named },
  );
}
