import type { IncomingHttpHeaders } from 'node:http';
import type { Logger, PtmKey } from '@tetrad/types';
import type { Enclave } from '../enclave/enclave.js';
import type { PartyTable } from '../party/party-table.js';
import type { PeerClient } from '../party/peer-client.js';
import { toBase64 } from '../payload/base64.js';
import { declaredKey } from './declared-key.js';
import { MARK_HEADER } from './payload-mark.js';
import type { PayloadMarks } from './payload-marks.js';
import {
  SEALED_MARK_HEADER,
  newQuestion,
  readMarkAnswer,
  writeMarkRequest,
  type MarkRequest,
} from './sealed-mark.js';

/** What one announcement asks of a peer. */
export interface AskedMark {
  /** Of the announcement. */
  readonly headers: Readonly<Record<string, string>>;
  /** Absent where no key of the peer is known. */
  readonly request?: MarkRequest;
}

/** What a peer said that it keeps for us. */
interface Heard {
  /** Undefined for a manager of the version before, whose answer is not sealed. */
  readonly order: number | undefined;
  /** Base64. */
  readonly mark: string | undefined;
}

const NO_MARK = new Uint8Array();

/**
 * Has peers keep our mark, and hears the one that they kept. A mark replaces another only where the peer has said, sealed and
 * in answer to us, what it has: a mark that is hidden on the way remains there.
 */
export class MarkExchange {
  private heard: ReadonlyMap<string, Heard> = new Map();
  /** Of configured peers that have not proved a key yet. */
  private readonly declared = new Map<string, PtmKey>();

  constructor(
    private readonly parts: {
      readonly marks: Pick<PayloadMarks, 'current' | 'check'>;
      readonly enclave: Enclave;
      readonly table: Pick<PartyTable, 'keyOfEach' | 'isConfigured'>;
      readonly peers: Pick<PeerClient, 'get'>;
      readonly logger: Logger;
    },
  ) {}

  /** @param urls - of all peers that get an announcement now */
  async ask(urls: readonly string[]): Promise<ReadonlyMap<string, AskedMark>> {
    const mark = await this.currentMark();
    const keys = this.parts.table.keyOfEach;
    const asked = await Promise.all(
      urls.map(async (url) => this.askOne(url, mark, keys.get(url) ?? (await this.declaredKey(url)))),
    );
    return new Map(urls.map((url, index) => [url, asked[index] as AskedMark]));
  }

  /** @param answers - headers of the answers of those that took the announcement */
  async hear(
    asked: ReadonlyMap<string, AskedMark>,
    answers: ReadonlyMap<string, IncomingHttpHeaders>,
  ): Promise<void> {
    const heard = new Map<string, Heard>();
    for (const [url, headers] of answers) {
      const said = this.read(asked.get(url)?.request, headers);
      if (await this.isChecked(said.mark, url)) heard.set(url, said);
    }
    this.heard = heard;
  }

  private askOne(url: string, mark: string | undefined, keeper: PtmKey | undefined): AskedMark {
    const { enclave } = this.parts;
    const said = this.heard.get(url);
    const isUnsealed = said !== undefined && said.order === undefined;
    const unsealed = mark !== undefined && isUnsealed ? { [MARK_HEADER]: mark } : {};
    if (keeper === undefined) return { headers: unsealed };
    const replaces = mark !== undefined && said?.order !== undefined && said.mark !== mark;
    const request = {
      owner: enclave.ring.first,
      keeper,
      question: newQuestion(),
      order: replaces ? said.order + 1 : 0,
      mark: replaces ? Buffer.from(mark, 'base64') : NO_MARK,
    };
    const header = writeMarkRequest(request, enclave);
    if (header === undefined) return { headers: unsealed };
    return { headers: { ...unsealed, [SEALED_MARK_HEADER]: header }, request };
  }

  private read(request: MarkRequest | undefined, headers: IncomingHttpHeaders): Heard {
    const sealed = request && readMarkAnswer(headers[SEALED_MARK_HEADER], request, this.parts.enclave);
    if (sealed !== undefined) {
      const { order, mark } = sealed;
      return { order, mark: mark.length === 0 ? undefined : toBase64(mark) };
    }
    const header = headers[MARK_HEADER];
    return { order: undefined, mark: typeof header === 'string' ? header : undefined };
  }

  /** Announcements go on while the database is away. */
  private async currentMark(): Promise<string | undefined> {
    try {
      return await this.parts.marks.current();
    } catch (error) {
      this.parts.logger.debug('no mark of the payloads was made', { error: String(error) });
      return undefined;
    }
  }

  /** @returns whether the mark was checked; if not, the peer has to keep it */
  private async isChecked(mark: string | undefined, url: string): Promise<boolean> {
    if (mark === undefined || this.heard.get(url)?.mark === mark) return true;
    try {
      await this.parts.marks.check(mark, url);
      return true;
    } catch (error) {
      this.parts.logger.debug('a mark of the payloads was not checked', { url, error: String(error) });
      return false;
    }
  }

  /** A database that was set back may not know a peer, which has to be asked before a node can ask us. */
  private async declaredKey(url: string): Promise<PtmKey | undefined> {
    const { table, peers } = this.parts;
    const known = this.declared.get(url);
    if (known !== undefined || !table.isConfigured(url)) return known;
    const key = await declaredKey(url, peers);
    if (key !== undefined) this.declared.set(url, key);
    return key;
  }
}
