import type { DownstreamClient } from '@tetrad/signer-downstream';
import type { SigningAccounts, TransactionSender } from '@tetrad/signer-transactions';

/** What the handlers work with. */
export interface SignerParts {
  readonly chainId: bigint;
  readonly accounts: SigningAccounts;
  readonly downstream: DownstreamClient;
  readonly sender: TransactionSender;
}
