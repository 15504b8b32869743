import {
  encodeFunctionData,
  type Abi,
  type Client,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionParameters,
  type EncodeFunctionDataParameters,
  type Hash,
} from 'viem';
import { asContractError } from './contract-error.js';
import {
  sendPrivateTransaction,
  type SendPrivateTransactionErrorType,
  type SendPrivateTransactionParameters,
} from './sendPrivateTransaction.js';

type Writing = 'nonpayable' | 'payable';

export type WritePrivateContractParameters<
  abi extends Abi | readonly unknown[] = Abi,
  functionName extends ContractFunctionName<abi, Writing> = ContractFunctionName<abi, Writing>,
  args extends ContractFunctionArgs<abi, Writing, functionName> = ContractFunctionArgs<
    abi,
    Writing,
    functionName
  >,
> = ContractFunctionParameters<abi, Writing, functionName, args> &
  Omit<SendPrivateTransactionParameters, 'to' | 'data'>;

export type WritePrivateContractErrorType = SendPrivateTransactionErrorType;

/**
 * Calls a private contract in a transaction that only its parties can read.
 *
 * @param client - client of the sender's node, or of a signer in front of it
 * @param parameters - the call, by whom, and for whom
 * @returns hash of the transaction
 *
 * @example
 * const hash = await writePrivateContract(client, {
 *   address, abi, functionName: 'set', args: [43n], account, privateFor: [key],
 * })
 */
export async function writePrivateContract<
  const abi extends Abi | readonly unknown[],
  functionName extends ContractFunctionName<abi, Writing>,
  const args extends ContractFunctionArgs<abi, Writing, functionName>,
>(client: Client, parameters: WritePrivateContractParameters<abi, functionName, args>): Promise<Hash> {
  const { abi, address, args, functionName, ...sending } = parameters as WritePrivateContractParameters;
  const data = encodeFunctionData({ abi, args, functionName } as EncodeFunctionDataParameters);
  try {
    return await sendPrivateTransaction(client, { ...sending, to: address, data });
  } catch (error) {
    throw asContractError(error, { abi, address, args, functionName });
  }
}
