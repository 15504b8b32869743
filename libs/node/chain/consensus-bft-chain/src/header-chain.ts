import { InvalidBlockError } from '@tetrad/node-block';
import { snapshotOf, type ValidatorSnapshot } from '@tetrad/node-consensus-bft';
import {
  MissingTrieNodeError,
  UnknownStateRootError,
  WitnessTooLargeError,
  type StateWitness,
} from '@tetrad/node-execution';
import { TimeSlices, type Hash, type SealedHeader } from '@tetrad/types';
import type { BftChain } from './bft-chain.js';
import { provenValidators } from './proven-validators.js';

/** A header, and the validators after it with their open votes. */
export interface KnownHeader {
  readonly block: SealedHeader;
  readonly snapshot: ValidatorSnapshot;
}

/** Where a node without states learns what is not in headers. */
export interface HeaderChainSource {
  /** Untrusted: what shows the validators that a contract names after a block. */
  witness(number: number): Promise<StateWitness>;
  /** The hash of a header before those that are verified. */
  findHash(number: number): Promise<Hash | undefined>;
}

/** What a header is checked with. */
interface Step {
  readonly last: KnownHeader;
  readonly known: readonly KnownHeader[];
  /** @throws InvalidBlockError */
  readonly check: (block: SealedHeader, last: KnownHeader) => void;
}

/**
 * Verifies headers by their seals, without executing anything: each against the validators after the one before.
 *
 * Votes, epochs and lists of transitions are in headers. Where a contract names the validators, they are taken to stay the same
 * until a header does not fit: a quorum of the earlier set seals no block that others have to seal. Then, and at the end, the state
 * after the header before shows who they are.
 */
export class HeaderChain {
  constructor(
    private readonly chain: BftChain,
    private readonly source: HeaderChainSource,
  ) {}

  /**
   * @param headers - one after the other on top of the last known one
   * @returns them with the validators after each; those that a contract names as they were taken to be
   * @throws InvalidBlockError with the rule broken, or when a witness does not show the validators; as the source
   */
  verify(headers: readonly SealedHeader[], after: KnownHeader): Promise<KnownHeader[]> {
    return this.walk(headers, after, (block, { block: parent, snapshot }) =>
      this.chain.ledger.checkHeader(block, parent, snapshot),
    );
  }

  /**
   * The validators along headers that are known to be of the chain: seals, and who may propose, are not looked at. Those that a contract
   * names after the last one are as the state after it shows.
   * @param headers - as `verify`
   * @throws InvalidBlockError when one does not follow the one before, or as `settle`; as the source
   */
  async link(headers: readonly SealedHeader[], after: KnownHeader): Promise<KnownHeader[]> {
    const known = await this.walk(headers, after, ({ header }, { block: parent }) => {
      if (header.number !== parent.header.number + 1 || header.parentHash !== parent.hash)
        throw new InvalidBlockError('unknown ancestor');
    });
    const last = known.pop();
    return last === undefined ? [] : [...known, await this.settle(last, known)];
  }

  private async walk(
    headers: readonly SealedHeader[],
    after: KnownHeader,
    check: (block: SealedHeader, last: KnownHeader) => void,
  ): Promise<KnownHeader[]> {
    const known: KnownHeader[] = [];
    let last = after;
    // The seals of a thousand headers of many validators take seconds.
    const slices = new TimeSlices();
    for (const block of headers) {
      last = await this.next(block, { last, known, check });
      known.push(last);
      if (slices.isOver()) await slices.pause();
    }
    return known;
  }

  /**
   * The same header with the validators that the state after it shows.
   * @param earlier - headers before it that are not in the source yet
   * @throws as `verify`
   */
  async settle(last: KnownHeader, earlier: readonly KnownHeader[] = []): Promise<KnownHeader> {
    const { block, snapshot } = last;
    const { number, stateRoot } = block.header;
    const { ledger, rules } = this.chain;
    const contract = rules.settingsAt(number).validatorContract;
    if (contract === undefined || number === 0) return last;
    const findBlockHash = async (wanted: number) =>
      earlier.find((one) => one.block.header.number === wanted)?.block.hash ?? this.source.findHash(wanted);
    const context = { ...ledger.contextOf(block.header), findBlockHash };
    const named = { executor: ledger.executor, block: context, stateRoot, contract };
    const witness = await this.source.witness(number);
    const validators = await provenValidators(named, witness).catch(asFault);
    // A contract without a valid answer leaves the set as it was.
    return { block, snapshot: snapshotOf(number, validators ?? snapshot.validators) };
  }

  private async next(block: SealedHeader, { last, known, check }: Step): Promise<KnownHeader> {
    const follow = (parent: KnownHeader) => {
      check(block, parent);
      return this.after(block, parent);
    };
    // Where votes count again, they count on what the contract named last, which no later state shows.
    if (this.isTaken(last) && !this.isNamed(block)) return follow(await this.settle(last, known));
    try {
      return follow(last);
    } catch (error) {
      if (!(error instanceof InvalidBlockError) || !this.isTaken(last)) throw error;
      return follow(await this.settle(last, known));
    }
  }

  private after(block: SealedHeader, { snapshot }: KnownHeader): KnownHeader {
    const { rules } = this.chain;
    const foreseen = rules.foreseeSnapshot(snapshot, block.header);
    // The same list, to show that nothing changed.
    const taken = { number: block.header.number, validators: snapshot.validators, votes: [] };
    return { block, snapshot: foreseen ?? taken };
  }

  /** Whether the validators after the header may be others than was taken; block 0 is executed everywhere. */
  private isTaken({ block }: KnownHeader): boolean {
    return block.header.number > 0 && this.isNamed(block);
  }

  /** Whether a contract names the validators after the header. */
  private isNamed({ header }: SealedHeader): boolean {
    return this.chain.rules.settingsAt(header.number).validatorContract !== undefined;
  }
}

/** A witness that does not show the call is a fault of its sender, as a header that breaks a rule is. */
function asFault(error: unknown): never {
  const isOfWitness =
    error instanceof UnknownStateRootError ||
    error instanceof MissingTrieNodeError ||
    error instanceof WitnessTooLargeError;
  throw isOfWitness ? new InvalidBlockError(`validators not shown: ${error.message}`) : error;
}
