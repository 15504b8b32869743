import type { DownstreamClient } from '@tetrad/signer-downstream';
import type { RequestSigner, SigningAccounts } from '@tetrad/signer-transactions';
import type { FilledGas } from './filled-gas.js';

/** What the handlers work with. */
export interface SignerParts {
  readonly accounts: SigningAccounts;
  readonly downstream: DownstreamClient;
  readonly signer: RequestSigner;
  readonly filledGas: FilledGas;
}
