import type { SealedHeader } from '@tetrad/types';

/** Headers that are read together. */
const PAGE = 1_000;

/** The stored headers in ascending order, read in pages, for comparing a file with them. */
export class StoredHeaders {
  private page = new Map<number, SealedHeader>();

  constructor(private readonly list: (from: number, to: number) => Promise<readonly SealedHeader[]>) {}

  async find(number: number): Promise<SealedHeader | undefined> {
    if (!this.page.has(number)) {
      const headers = await this.list(number, number + PAGE - 1);
      this.page = new Map(headers.map((header) => [header.header.number, header]));
    }
    return this.page.get(number);
  }
}
