import type { PrivacyParameters, TetradClient, WaitForPrivateReceiptReturnType } from '@tetrad/client';
import type { Abi, Address, LocalAccount } from 'viem';

/** A contract of its parties. */
export interface PrivateContract {
  readonly address: Address;
  readonly abi: Abi;
  /** Client of the node that it is used through. */
  readonly client: TetradClient;
  /** Calls a function that changes nothing. */
  read(functionName: string, args?: readonly unknown[]): Promise<unknown>;
  /**
   * Sends a call to the contract's parties, and waits until it is executed.
   * @throws Error when it is reverted
   */
  write(
    functionName: string,
    args?: readonly unknown[],
    privacy?: Partial<PrivacyParameters>,
  ): Promise<WaitForPrivateReceiptReturnType>;
}

/** What a contract is used with. */
export interface ContractUse extends PrivacyParameters {
  readonly address: Address;
  readonly abi: Abi;
  readonly client: TetradClient;
  readonly account: Address | LocalAccount;
}

/**
 * A contract with the parties and the account that its calls have.
 *
 * @param use - the contract, and with what it is used
 * @returns the contract
 */
export function privateContract({ address, abi, client, ...sending }: ContractUse): PrivateContract {
  return {
    address,
    abi,
    client,
    read: (functionName, args = []) => client.readContract({ address, abi, functionName, args }),
    async write(functionName, args = [], privacy = {}) {
      const call = { address, abi, functionName, args, ...sending, ...privacy };
      const hash = await client.writePrivateContract(call);
      return executed(await client.waitForPrivateReceipt({ hash, abi }), functionName);
    },
  };
}

/**
 * A receipt of what has succeeded.
 *
 * @param receipt - of the transaction
 * @param what - that it did
 * @returns the receipt
 * @throws Error when it is reverted, with the reason where there is one
 */
export function executed(
  receipt: WaitForPrivateReceiptReturnType,
  what: string,
): WaitForPrivateReceiptReturnType {
  if (receipt.status === 'success') return receipt;
  const { transactionHash, revertError } = receipt;
  throw new Error(`${what} is reverted in transaction ${transactionHash}`, { cause: revertError });
}
