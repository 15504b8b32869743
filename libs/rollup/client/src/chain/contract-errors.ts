import { OperatorError } from '@tetrad/types';

/** The contract refuses a call; `reason` is the name of its error. */
export class ContractRefusal extends OperatorError {
  override readonly name = 'ContractRefusal';

  constructor(readonly reason: string) {
    super(`the rollup contract rejects it: ${reason}`);
  }
}

/** A deposit is below what the contract takes; nothing was sent. */
export class DepositTooLowError extends OperatorError {
  override readonly name = 'DepositTooLowError';

  /** @param amount - in units of the rollup, as the minimum */
  constructor(
    amount: bigint,
    readonly minimum: bigint,
  ) {
    super(`amount: the contract takes deposits of ${minimum} or more units, not ${amount}`);
  }
}
