import { OperatorError, type Address } from '@tetrad/types';

/** A contract is not shown to be one of a release: no money should go into it. */
export class UnverifiedContractError extends OperatorError {
  override readonly name = 'UnverifiedContractError';

  /** @param differences - what is not as it should be, in words, one or more */
  constructor(
    address: Address,
    readonly differences: readonly string[],
  ) {
    super(`the contract at ${address} is not verified: ${differences.join('; ')}`);
  }
}
