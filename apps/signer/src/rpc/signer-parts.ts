import type { DownstreamClient } from '@tetrad/signer-downstream';
import type { RequestSigner, SigningAccounts } from '@tetrad/signer-transactions';

/** What the handlers work with. */
export interface SignerParts {
  readonly accounts: SigningAccounts;
  readonly downstream: DownstreamClient;
  readonly signer: RequestSigner;
}
