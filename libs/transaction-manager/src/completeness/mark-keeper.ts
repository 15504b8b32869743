import type { IncomingHttpHeaders } from 'node:http';
import type { PtmKey } from '@tetrad/types';
import type { Enclave } from '../enclave/enclave.js';
import { parsePartyUrl } from '../party/party-url.js';
import type { PartyInfo } from '../party/party-info.js';
import type { PartyTable } from '../party/party-table.js';
import { toBase64 } from '../payload/base64.js';
import type { KeyHolderStore } from '../store/key-holder-store.js';
import { MARK_HEADER, parseForeignMark } from './payload-mark.js';
import {
  SEALED_MARK_HEADER,
  readMarkRequest,
  writeMarkAnswer,
  type KeptMark,
  type MarkRequest,
} from './sealed-mark.js';

/** Keeps the marks of other managers for them. */
export class MarkKeeper {
  constructor(
    private readonly parts: {
      readonly enclave: Enclave;
      readonly table: Pick<PartyTable, 'find' | 'holderOf'>;
      readonly holders: Pick<KeyHolderStore, 'findMark' | 'keepMark' | 'keepUnsealedMark'>;
    },
  ) {}

  /**
   * @param headers - of an announcement
   * @returns headers of its answer
   */
  async exchange(info: PartyInfo, headers: IncomingHttpHeaders): Promise<Readonly<Record<string, string>>> {
    const { enclave, table } = this.parts;
    const knows = (key: PtmKey) => table.holderOf(key) !== undefined;
    const request = readMarkRequest(headers[SEALED_MARK_HEADER], enclave, knows);
    if (request === undefined) return this.exchangeUnsealed(info, headers[MARK_HEADER]);
    return { [SEALED_MARK_HEADER]: writeMarkAnswer(request, await this.keep(request), enclave) };
  }

  /** @returns what is kept then */
  private async keep({ owner, order, mark }: MarkRequest): Promise<KeptMark> {
    const { holders } = this.parts;
    if (mark.length > 0) await holders.keepMark(owner, { order, mark });
    return (await holders.findMark(owner)) ?? { order: 0, mark: new Uint8Array() };
  }

  /**
   * A manager of the version before does not seal its mark for us, so that any stranger may have sent it: it never replaces
   * one that was sealed, and a sealed one is not returned for it.
   */
  private async exchangeUnsealed(
    { url, keys }: PartyInfo,
    header: unknown,
  ): Promise<Readonly<Record<string, string>>> {
    const { table, holders } = this.parts;
    const at = parsePartyUrl(url);
    const proved = keys.find(({ key }) => table.find(key)?.url === at);
    if (proved === undefined) return {};
    const kept = await holders.findMark(proved.key);
    if (kept !== undefined && kept.order > 0) return {};
    const mark = parseForeignMark(header);
    if (mark !== undefined) await holders.keepUnsealedMark(proved.key, mark);
    return kept === undefined ? {} : { [MARK_HEADER]: toBase64(kept.mark) };
  }
}
