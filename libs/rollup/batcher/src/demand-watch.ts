import {
  PART_OF_ACCEPTED,
  operationsPerTimeout,
  type ExitRules,
  type RollupReader,
  type ServingTerms,
  type StateName,
} from '@tetrad/rollup-chain';
import type { ServedRequests } from '@tetrad/rollup-sequencer';
import type { RequestLoad, RollupStore, TokenProgress } from '@tetrad/rollup-store';
import {
  describeFreeze,
  findAnnouncedFreezes,
  type AnnouncedFreeze,
  type AnnouncementParts,
} from './announced-freezes.js';
import type { FreezeCallers } from './freeze-callers.js';
import { MEASURED_REQUESTS } from './params.js';

export interface WatchParts {
  readonly reader: Pick<
    RollupReader,
    | ('depositOverdueAt' | 'exitRules' | 'held' | 'isFrozen' | 'latestBlock')
    | ('progressOf' | 'request' | 'servingTerms')
  > &
    AnnouncementParts['reader'];
  readonly store: Pick<
    RollupStore,
    'changeExitRules' | 'listRequestedTokens' | 'listUnmeasured' | 'measureRequest' | 'readRequestLoad'
  > &
    AnnouncementParts['store'];
  /** Who announced a freeze, or made it. */
  readonly callers: Pick<FreezeCallers, 'textOf'>;
}

/** What the contract said at a block about what others demand of the operator. */
export interface Demands {
  readonly terms: ServingTerms;
  readonly block: number;
  /** Time of the block, Unix time in seconds. */
  readonly atSeconds: number;
  readonly progress: readonly TokenProgress[];
  readonly requests: RequestLoad;
  /** Unix time from which anyone may freeze the contract if nothing more is served; undefined when nothing waits. */
  readonly overdueAt: number | undefined;
  /** Freezes that are announced, the first that can be made first. */
  readonly announced: readonly AnnouncedFreeze[];
  readonly isFrozen: boolean;
}

/** Seconds before something is overdue, as a part of the time-out, from which it is a problem. */
const LAST_PART = 4;

/**
 * Looks at the contract for what holders demand of the operator and by when: what is left overdue freezes it for good
 * (docs/adr/0241). Contracts with turns demand nothing here.
 */
export class DemandWatch {
  private rules: ExitRules | undefined;
  private seen: Demands | undefined;
  /** Who announced a freeze, or made it. */
  private caller: string | undefined;

  constructor(private readonly parts: WatchParts) {}

  /** As last seen; undefined before the first look, and for contracts with turns. */
  get demands(): Demands | undefined {
    return this.seen;
  }

  get isFrozen(): boolean {
    return this.seen?.isFrozen ?? false;
  }

  /** Whether the contract freezes; undefined before the first look is whole. */
  get freezes(): boolean | undefined {
    if (this.rules === 'turns') return false;
    return this.seen === undefined ? undefined : true;
  }

  /** How the sequencer serves what is open; undefined where nothing is to serve. */
  get served(): ServedRequests | undefined {
    if (this.seen === undefined) return undefined;
    const { terms, progress } = this.seen;
    const deposits = terms.depositsPerTimeout;
    const requests = operationsPerTimeout(terms) - deposits;
    return { progress, rates: { requests, deposits, accepted: PART_OF_ACCEPTED } };
  }

  /** For people: that the contract is frozen or will soon be. */
  get problem(): string | undefined {
    const problem = this.seen && problemOf(this.seen);
    return problem === undefined || this.caller === undefined ? problem : `${problem}; ${this.caller}`;
  }

  /**
   * Looks once.
   *
   * @returns whether there are requests that it has yet to ask the contract about
   * @throws ChainUnavailableError; as the database
   */
  async step(): Promise<boolean> {
    const { reader, store } = this.parts;
    if (this.rules === undefined) {
      this.rules = await reader.exitRules();
      await store.changeExitRules(this.rules);
    }
    if (this.rules === 'turns') return false;
    const hasMore = await this.measure();
    const { number, hash, timestamp } = await reader.latestBlock();
    // One state for all: what is held, due and announced belongs together.
    const state = { blockHash: hash };
    const terms = await reader.servingTerms(state);
    const progress = await this.progress(state);
    const requests = await store.readRequestLoad(progress, {
      atSeconds: timestamp,
      timeoutSeconds: terms.stallTimeoutSeconds,
    });
    const times = [requests.overdueAt, await reader.depositOverdueAt(state)];
    const block = { state, atSeconds: timestamp, timeoutSeconds: terms.stallTimeoutSeconds, progress };
    const announced = await findAnnouncedFreezes(this.parts, block);
    const waiting = times.filter((time) => time !== undefined);
    this.seen = {
      terms,
      progress,
      requests,
      announced,
      block: number,
      atSeconds: timestamp,
      overdueAt: waiting.length === 0 ? undefined : Math.min(...waiting),
      isFrozen: await reader.isFrozen(state),
    };
    this.caller = await this.parts.callers.textOf(this.seen);
    return hasMore;
  }

  /** Asks the contract once about each request. */
  private async measure(): Promise<boolean> {
    const { reader, store } = this.parts;
    const unmeasured = await store.listUnmeasured(MEASURED_REQUESTS);
    for (const place of unmeasured) {
      const measure = await reader.request(place.accountId);
      // A chain that is behind the one that was read has no request yet.
      if (measure !== undefined) await store.measureRequest(place, measure);
    }
    return unmeasured.length === MEASURED_REQUESTS;
  }

  private async progress(state: StateName): Promise<readonly TokenProgress[]> {
    const { reader, store } = this.parts;
    const found: TokenProgress[] = [];
    for (const tokenId of await store.listRequestedTokens()) {
      const progress = await reader.progressOf(tokenId, state);
      found.push({ tokenId, progress, held: await reader.held(tokenId, state) });
    }
    return found;
  }
}

function problemOf(demands: Demands): string | undefined {
  const { isFrozen, overdueAt, announced, atSeconds, terms, requests } = demands;
  if (isFrozen) return 'frozen: no batch is taken any more, and holders withdraw by proofs';
  if (announced[0] !== undefined) return describeFreeze(announced[0], atSeconds);
  const left = overdueAt === undefined ? Infinity : overdueAt - atSeconds;
  if (left <= 0) return 'deadline: what is overdue lets anyone freeze the contract';
  if (left * LAST_PART < terms.stallTimeoutSeconds)
    return `deadline: in ${Math.floor(left)} s anyone may freeze the contract`;
  if (requests.failing > 0)
    return `requests: ${requests.failing} cannot be executed, and will freeze the contract`;
  return undefined;
}
