import type { IncomingHttpHeaders } from 'node:http';
import type { Logger, PtmKey } from '@tetrad/types';
import type { MarkExchange } from '../completeness/mark-exchange.js';
import { ManagerError } from '../manager-error.js';
import type { PeerAbilities } from '../message/peer-abilities.js';
import { Announcers } from './announcer.js';
import { isSameVersions, readApiVersions } from './api-versions.js';
import type { KeyClaims } from './key-claims.js';
import type { KeyConflicts } from './key-conflicts.js';
import { encodePartyInfo, type PartyInfo } from './party-info.js';
import type { PartyTable } from './party-table.js';
import { parsePartyUrl } from './party-url.js';
import type { PeerAnswer, PeerClient } from './peer-client.js';
import type { ProofBudget } from './proof-budget.js';

/** Keys that one manager may have; each of them costs a request to prove. */
const MAX_KEYS_OF_PARTY = 100;

/** Refused URLs that the log names. */
const MAX_REFUSED = 100;

export interface ExchangeParts {
  readonly table: PartyTable;
  readonly peers: PeerClient;
  /** Has managers prove the keys they announce; they are believed without it. */
  readonly claims: KeyClaims | undefined;
  readonly conflicts: KeyConflicts;
  readonly budget: ProofBudget;
  readonly logger: Logger;
  /** Whether managers that others tell of become known. */
  readonly discover: boolean;
  /** Whether managers anywhere are asked, and not only peers and those at the address of who announces them. */
  readonly anyAddress: boolean;
  /** URLs of the only managers whose announcements are accepted; without it those of all are. */
  readonly allowed: ReadonlySet<string> | undefined;
  /** How far our rows have come, which peers keep for us. */
  readonly marks: Pick<MarkExchange, 'ask' | 'hear'>;
  /** What managers say in their answers that they can do. */
  readonly abilities: Pick<PeerAbilities, 'hear'>;
  /** Interval of our announcements. */
  readonly intervalMs: number;
}

/** Learns which manager holds which keys, and announces our keys to others. */
export class PartyExchange {
  private timer: NodeJS.Timeout | undefined;
  private announcing: Promise<void> | undefined;
  /** Logged once, so that a stranger does not fill the log. */
  private readonly refused = new Set<string>();
  private readonly announcers = new Announcers();

  constructor(private readonly parts: ExchangeParts) {}

  start(): void {
    this.timer = setInterval(() => {
      this.parts.budget.refill();
      this.parts.conflicts.tick();
      this.announce();
    }, this.parts.intervalMs);
    this.announce();
  }

  /** Resolves when nothing is under way. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.announcing;
  }

  /**
   * Accepts the announcement of a manager. Only its own keys count, those with its own URL; its entries about others only
   * name managers to contact. Any host can announce a URL, so changes of known facts about it are confirmed at that URL.
   * @param from - remote address of the announcer
   * @throws ManagerError 403 when it is not accepted, 500 when it proved none of its keys, 503 when it announces too
   *   much
   */
  async learn(info: PartyInfo, versions: ReadonlySet<string>, from: string): Promise<void> {
    const { table, claims, logger } = this.parts;
    const url = parsePartyUrl(info.url);
    if (url === undefined) throw new ManagerError('invalid', 'url is not an http or https URL of a manager');
    await this.admit(url, from);
    const announced = info.keys.filter((entry) => parsePartyUrl(entry.url) === url).map(({ key }) => key);
    if (announced.length > MAX_KEYS_OF_PARTY)
      throw new ManagerError(
        'invalid',
        `keys has ${announced.length} entries of one URL; the limit is ${MAX_KEYS_OF_PARTY}`,
      );
    const keys =
      claims === undefined ? this.believe(url, announced, from) : await claims.settle(url, announced, from);
    if (keys.length === 0 && announced.length > 0)
      throw new ManagerError('rejected', 'HTTP 500 Internal Server Error');
    const confirmed = claims === undefined ? versions : await this.confirmed(url, versions);
    const fits = table.setParty(url, confirmed) && this.takeParties(url, info.parties);
    if (!fits && !table.isOwn(url))
      logger.warn('no room for more managers that are not among --peers', { url });
  }

  /** @throws ManagerError 403 for a manager whose announcements are not accepted */
  private async admit(url: string, from: string): Promise<void> {
    const { allowed, anyAddress, table, logger } = this.parts;
    if (allowed !== undefined && !allowed.has(url))
      throw new ManagerError('forbidden', 'this manager is not on the whitelist');
    if (anyAddress || table.isConfigured(url) || table.keysAt(url).length > 0) return;
    if (await this.announcers.isAt(url, from)) return;
    if (!this.refused.has(url) && this.refused.size < MAX_REFUSED) {
      this.refused.add(url);
      logger.warn('a manager was announced from another address and is not among --peers', { url, from });
    }
    throw new ManagerError(
      'forbidden',
      'the URL is not at the address that announces it: it has to be among --peers here, or --peer-any-address be set',
    );
  }

  /** Keys that need no proof, unless the operator named the manager that has them. */
  private believe(url: string, announced: readonly PtmKey[], from: string): PtmKey[] {
    const { table } = this.parts;
    table.retireKeys(url, new Set(table.keysAt(url)));
    const keys = announced.filter((key) => {
      const holder = table.holderOf(key);
      return holder?.active !== true || !table.isConfigured(holder.url) || table.isConfigured(url);
    });
    for (const key of keys) table.setHolder(key, { url, bound: false, active: true }, from);
    return keys;
  }

  /**
   * Managers that another one lists are contacted only if the operator trusts it.
   * @returns whether there was room
   */
  private takeParties(url: string, parties: readonly string[]): boolean {
    const { table, discover, anyAddress } = this.parts;
    if (!discover || !(anyAddress || table.isConfigured(url))) return true;
    return table.addParties(parties.flatMap((party) => parsePartyUrl(party) ?? []));
  }

  /** The announced versions, unless the manager is known with others and denies the announced ones itself. */
  private async confirmed(url: string, announced: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const { table, peers } = this.parts;
    const known = table.versionsAt(url);
    if (known === undefined || table.keysAt(url).length === 0 || isSameVersions(known, announced))
      return announced;
    const answer = await peers.get(url, 'version/api').catch(() => undefined);
    return (answer?.status === 200 ? readApiVersions(answer.text) : undefined) ?? known;
  }

  private announce(): void {
    if (this.announcing !== undefined) return;
    this.announcing = this.announceToAll().finally(() => (this.announcing = undefined));
  }

  /**
   * Announces our keys to every known manager. One that cannot be reached gets the next announcement; until then its
   * absence has no consequence.
   */
  async announceToAll(): Promise<void> {
    const { table, peers, logger, allowed, marks, abilities } = this.parts;
    const body = encodePartyInfo(table.toPartyInfo());
    const urls = table.urlsOfParties.filter((url) => allowed?.has(url) ?? true);
    const asked = await marks.ask(urls);
    const answers = await Promise.allSettled(
      urls.map((url) => peers.post(url, 'partyinfo', body, asked.get(url)?.headers)),
    );
    const taken = headersOfTaken(urls, answers);
    abilities.hear(taken, urls);
    await marks.hear(asked, taken);
    const silent = urls.filter((_, index) => answers[index]?.status === 'rejected');
    for (const url of silent) table.forgetUnlessKeys(url);
    if (silent.length > 0)
      logger.debug('could not announce our keys to some managers', {
        failed: silent.length,
        of: urls.length,
      });
  }
}

/** Headers of answers to announcements that were taken. */
function headersOfTaken(
  urls: readonly string[],
  answers: readonly PromiseSettledResult<PeerAnswer>[],
): ReadonlyMap<string, IncomingHttpHeaders> {
  return new Map(
    urls.flatMap((url, index) => {
      const answer = answers[index];
      const isTaken = answer?.status === 'fulfilled' && answer.value.status === 200;
      return isTaken ? [[url, answer.value.headers] as const] : [];
    }),
  );
}
