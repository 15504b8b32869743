import type { PublicOperation } from '@tetrad/rollup-circuits';
import { touchedAccountId, type RollupOperation } from './rollup-operation.js';

export type PublicPart = Omit<PublicOperation, 'leaf' | 'order'>;

/** What of an operation is public: parties and amount only where money enters or leaves the rollup. */
export function publicOperation(operation: RollupOperation): PublicPart {
  const { kind } = operation;
  const hidden = { kind, tokenId: 0, amount: 0n, toAddress: 0n };
  switch (kind) {
    case 'inboundTransfer': {
      const { accountId, tokenId, amount } = operation;
      return { ...hidden, accountId, tokenId, amount };
    }
    case 'outboundTransfer': {
      const { fromAccountId: accountId, tokenId, amount, toEthereumAddress } = operation;
      return { kind, accountId, tokenId, amount, toAddress: BigInt(toEthereumAddress) };
    }
    default:
      return { ...hidden, accountId: touchedAccountId(operation) ?? 0 };
  }
}
