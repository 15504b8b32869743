import {
  encodeDeployData,
  type Abi,
  type Client,
  type ContractConstructorArgs,
  type EncodeDeployDataParameters,
  type Hash,
  type Hex,
} from 'viem';
import { asContractError } from './contract-error.js';
import {
  sendPrivateTransaction,
  type SendPrivateTransactionErrorType,
  type SendPrivateTransactionParameters,
} from './sendPrivateTransaction.js';

export type DeployPrivateContractParameters<abi extends Abi | readonly unknown[] = Abi> = Omit<
  SendPrivateTransactionParameters,
  'to' | 'data'
> & {
  readonly abi: abi;
  readonly bytecode: Hex;
} & (readonly [] extends ContractConstructorArgs<abi>
    ? { readonly args?: ContractConstructorArgs<abi> | undefined }
    : { readonly args: ContractConstructorArgs<abi> });

export type DeployPrivateContractErrorType = SendPrivateTransactionErrorType;

/**
 * Creates a contract that only its parties see.
 *
 * @param client - client of the sender's node, or of a signer in front of it
 * @param parameters - the contract, by whom, and for whom
 * @returns hash of the transaction; `waitForPrivateReceipt` has the address
 *
 * @example
 * const hash = await deployPrivateContract(client, { abi, bytecode, args: [42n], account, privateFor: [key] })
 */
export async function deployPrivateContract<const abi extends Abi | readonly unknown[]>(
  client: Client,
  parameters: DeployPrivateContractParameters<abi>,
): Promise<Hash> {
  const { abi, args, bytecode, ...sending } = parameters as DeployPrivateContractParameters;
  const data = encodeDeployData({ abi, args, bytecode } as EncodeDeployDataParameters);
  try {
    return await sendPrivateTransaction(client, { ...sending, data });
  } catch (error) {
    throw asContractError(error, { abi, args, functionName: 'constructor' });
  }
}
