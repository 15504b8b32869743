import { clientBytes } from '@tetrad/db/client';
import type { PtmKey } from '@tetrad/types';
import type { KeptMark } from '../completeness/sealed-mark.js';
import { keyFromBytes, keyToBytes } from '../keys/key-pair.js';
import type { ManagerClient } from './manager-client.js';

/** Where a key was proved to be. */
export interface StoredHolder {
  readonly key: PtmKey;
  readonly url: string;
  readonly bound: boolean;
}

/** Most rows that are read. */
const MAX_ROWS = 20_000;

/** Rows of where keys were proved to be, so that a restart gives none of them to the first that claims it. */
export class KeyHolderStore {
  constructor(private readonly client: ManagerClient['client']) {}

  async save(key: PtmKey, { url, bound }: Omit<StoredHolder, 'key'>): Promise<void> {
    const [where, proved] = [rowOf(key), { url, bound, provedAt: new Date() }];
    await this.client.keyHolder.upsert({ where, create: { ...where, ...proved }, update: proved });
  }

  /** What the holder of the key has us keep for it; undefined for nothing. */
  async findMark(key: PtmKey): Promise<KeptMark | undefined> {
    const row = await this.client.keyHolder.findUnique({
      where: rowOf(key),
      select: { mark: true, markOrder: true },
    });
    const { mark = null, markOrder } = row ?? {};
    return mark === null ? undefined : { mark, order: Number(markOrder ?? 0n) };
  }

  /** Keeps what the holder of the key sealed for us, unless something later is kept. */
  async keepMark(key: PtmKey, { mark, order }: KeptMark): Promise<void> {
    const isEarlier = [{ markOrder: { lt: order } }, ...(order > 0 ? [{ markOrder: null }] : [])];
    await this.client.keyHolder.updateMany({
      where: { ...rowOf(key), OR: isEarlier },
      data: { mark: clientBytes(mark), markOrder: order },
    });
  }

  /** Keeps what any host may have sent in the name of the holder, unless something sealed is kept. */
  async keepUnsealedMark(key: PtmKey, mark: Uint8Array): Promise<void> {
    const bytes = clientBytes(mark);
    await this.client.keyHolder.updateMany({
      where: { ...rowOf(key), markOrder: null, OR: [{ mark: null }, { mark: { not: bytes } }] },
      data: { mark: bytes },
    });
  }

  async remove(key: PtmKey): Promise<void> {
    await this.client.keyHolder.deleteMany({ where: rowOf(key) });
  }

  /** The oldest first, so that what a stranger added last is what finds no room. */
  async all(): Promise<StoredHolder[]> {
    const rows = await this.client.keyHolder.findMany({
      select: { key: true, url: true, bound: true },
      orderBy: { provedAt: 'asc' },
      take: MAX_ROWS,
    });
    return rows.map(({ key, url, bound }) => ({ key: keyFromBytes(key), url, bound }));
  }
}

function rowOf(key: PtmKey): { readonly key: Uint8Array<ArrayBuffer> } {
  return { key: clientBytes(keyToBytes(key)) };
}
