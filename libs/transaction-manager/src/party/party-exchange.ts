import { randomUUID } from 'node:crypto';
import type { Logger, PtmKey } from '@tetrad/types';
import type { Enclave } from '../enclave/enclave.js';
import { ManagerError } from '../manager-error.js';
import { encodeBinaryPayload } from '../payload/binary-payload.js';
import { PrivacyFlag, type EncodedPayload } from '../payload/encoded-payload.js';
import { isSameVersions, readApiVersions } from './api-versions.js';
import { encodePartyInfo, type PartyInfo } from './party-info.js';
import type { PartyTable } from './party-table.js';
import { parsePartyUrl } from './party-url.js';
import type { PeerClient } from './peer-client.js';

/** Keys that one manager may have; each of them costs a request to prove. */
const MAX_KEYS_OF_PARTY = 100;

export interface ExchangeParts {
  readonly enclave: Enclave;
  readonly table: PartyTable;
  readonly peers: PeerClient;
  readonly logger: Logger;
  /** Whether managers have to prove that they hold the keys they announce. */
  readonly proveKeys: boolean;
  /** Whether managers that others tell of become known. */
  readonly discover: boolean;
  /** URLs of the only managers that are listened to; all are without it. */
  readonly allowed: ReadonlySet<string> | undefined;
  /** How often we tell the others of us. */
  readonly intervalMs: number;
}

/** Learns which manager holds which keys, and tells others of ours. */
export class PartyExchange {
  private timer: NodeJS.Timeout | undefined;
  private telling: Promise<void> | undefined;

  constructor(private readonly parts: ExchangeParts) {}

  start(): void {
    this.timer = setInterval(() => this.tell(), this.parts.intervalMs);
    this.tell();
  }

  /** Resolves when nothing is under way. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.telling;
  }

  /**
   * Takes what a manager tells. Only its own keys count, those whose URL is its own; what it says of others names
   * managers to ask. Anybody may say that he is at that URL: what would change what is known of it is asked there.
   *
   * Fails: ManagerError 403 when we do not listen to it, 500 when it proved none of its keys
   */
  async learn(info: PartyInfo, versions: ReadonlySet<string>): Promise<void> {
    const { table, allowed, discover, proveKeys } = this.parts;
    const url = parsePartyUrl(info.url);
    if (url === undefined) throw new ManagerError(400, 'url is not an http or https URL of a manager');
    if (allowed !== undefined && !allowed.has(url))
      throw new ManagerError(403, 'this manager is not on the whitelist');
    const announced = info.keys.filter((entry) => parsePartyUrl(entry.url) === url).map(({ key }) => key);
    if (announced.length > MAX_KEYS_OF_PARTY)
      throw new ManagerError(
        400,
        `keys has ${announced.length} entries of one URL; the limit is ${MAX_KEYS_OF_PARTY}`,
      );
    const keys = proveKeys ? await this.proven(url, announced) : announced;
    if (keys.length === 0 && announced.length > 0)
      throw new ManagerError(500, 'HTTP 500 Internal Server Error');
    table.setKeys(url, keys, proveKeys ? await this.confirmed(url, versions) : versions);
    if (discover) table.addParties(info.parties.flatMap((party) => parsePartyUrl(party) ?? []));
  }

  /**
   * Those of the keys for which the manager at the URL decrypts what only their owner can. One that it has shown to have
   * is believed when it is announced again, and is given up when it is left out and cannot be shown any more.
   */
  private async proven(url: string, keys: readonly PtmKey[]): Promise<PtmKey[]> {
    const { logger, table } = this.parts;
    const [announced, known] = [new Set(keys), new Set(table.keysAt(url))];
    const others = [...new Set([...announced, ...known])].filter((key) => !this.parts.enclave.ring.has(key));
    const proofs = await Promise.all(
      others.map(async (key) => (announced.has(key) && known.has(key)) || (await this.proves(url, key))),
    );
    const proven = others.filter((_, index) => proofs[index]);
    if (proven.length < others.length)
      logger.warn('a manager did not prove the keys it announced', {
        url,
        keys: others.length - proven.length,
      });
    return proven;
  }

  /** The versions that were told, unless the manager is known with others and says itself that these are wrong. */
  private async confirmed(url: string, told: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const { table, peers } = this.parts;
    const known = table.versionsAt(url);
    if (known === undefined || table.keysAt(url).length === 0 || isSameVersions(known, told)) return told;
    const answer = await peers.get(url, 'version/api').catch(() => undefined);
    return (answer?.status === 200 ? readApiVersions(answer.text) : undefined) ?? known;
  }

  private async proves(url: string, key: PtmKey): Promise<boolean> {
    const { enclave, peers } = this.parts;
    const secret = randomUUID();
    try {
      const { first } = enclave.ring;
      const sealed = enclave.seal(first, Buffer.from(secret));
      const payload: EncodedPayload = {
        ...enclave.box(sealed, [key]),
        sender: first,
        cipherText: sealed.cipherText,
        cipherTextNonce: sealed.nonce,
        privacyFlag: PrivacyFlag.Standard,
        affected: [],
        execHash: new Uint8Array(),
        mandatoryRecipients: [],
        privacyGroupId: undefined,
      };
      const { status, text } = await peers.post(url, 'partyinfo/validate', encodeBinaryPayload(payload));
      return status === 200 && text === secret;
    } catch {
      return false;
    }
  }

  private tell(): void {
    if (this.telling !== undefined) return;
    this.telling = this.tellAll().finally(() => (this.telling = undefined));
  }

  /**
   * Tells every manager that is known of our keys. One that cannot be reached now is told the next time; whether it can
   * be is nobody's concern until then.
   */
  async tellAll(): Promise<void> {
    const { table, peers, logger, allowed } = this.parts;
    const body = encodePartyInfo(table.toPartyInfo());
    const urls = table.urlsOfParties.filter((url) => allowed?.has(url) ?? true);
    const answers = await Promise.allSettled(urls.map((url) => peers.post(url, 'partyinfo', body)));
    const silent = urls.filter((_, index) => answers[index]?.status === 'rejected');
    for (const url of silent) table.forgetUnlessKeys(url);
    if (silent.length > 0)
      logger.debug('managers could not be told of our keys', { failed: silent.length, of: urls.length });
  }
}
