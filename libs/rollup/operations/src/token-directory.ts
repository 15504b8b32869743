import { MAX_TOKENS } from '@tetrad/rollup-state';
import type { RollupStore } from '@tetrad/rollup-store';
import { RequestError } from '@tetrad/types';

/** Tokens of the contract, to which new ones may be added and from which none are taken. */
export class TokenDirectory {
  private known = new Set<number>();

  constructor(private readonly store: Pick<RollupStore, 'listTokens'>) {}

  /** @throws RequestError (UNKNOWN_TOKEN) */
  async assertKnown(tokenId: number): Promise<void> {
    if (this.known.has(tokenId)) return;
    if (tokenId < MAX_TOKENS)
      this.known = new Set((await this.store.listTokens()).map((token) => token.tokenId));
    if (!this.known.has(tokenId)) {
      throw new RequestError('UNKNOWN_TOKEN', `the rollup has no token ${tokenId}`, { tokenId });
    }
  }
}
