import type { Abi, Client, ContractFunctionArgs, ContractFunctionName, Hash, Hex } from 'viem';
import { deployPrivateContract, type DeployPrivateContractParameters } from './deployPrivateContract.js';
import {
  distributePrivateTransaction,
  type DistributePrivateTransactionParameters,
} from './distributePrivateTransaction.js';
import {
  getContractPrivacy,
  type ContractPrivacy,
  type GetContractPrivacyParameters,
} from './getContractPrivacy.js';
import { getPrivatePayload, type GetPrivatePayloadParameters } from './getPrivatePayload.js';
import {
  getPrivateTransaction,
  type GetPrivateTransactionParameters,
  type PrivateTransaction,
} from './getPrivateTransaction.js';
import {
  sendPrivateTransaction,
  type SendingParameters,
  type SendPrivateTransactionParameters,
} from './sendPrivateTransaction.js';
import { sendPrivacyMarker, type SendPrivacyMarkerParameters } from './sendPrivacyMarker.js';
import {
  sendRawPrivateTransaction,
  type SendRawPrivateTransactionParameters,
} from './sendRawPrivateTransaction.js';
import {
  waitForPrivateReceipt,
  type WaitForPrivateReceiptParameters,
  type WaitForPrivateReceiptReturnType,
} from './waitForPrivateReceipt.js';
import { writePrivateContract, type WritePrivateContractParameters } from './writePrivateContract.js';

type Writing = 'nonpayable' | 'payable';

export type PrivateActions = {
  /** Creates a contract that only its parties see. */
  readonly deployPrivateContract: <const abi extends Abi | readonly unknown[]>(
    parameters: DeployPrivateContractParameters<abi>,
  ) => Promise<Hash>;
  /** Sends the payload to its parties, without a transaction on the chain. */
  readonly distributePrivateTransaction: (parameters: DistributePrivateTransactionParameters) => Promise<Hex>;
  /** How a private contract is protected. */
  readonly getContractPrivacy: (parameters: GetContractPrivacyParameters) => Promise<ContractPrivacy>;
  /** The unencrypted payload of a private transaction. */
  readonly getPrivatePayload: (parameters: GetPrivatePayloadParameters) => Promise<Hex | undefined>;
  /** The private transaction behind a privacy marker. */
  readonly getPrivateTransaction: (
    parameters: GetPrivateTransactionParameters,
  ) => Promise<PrivateTransaction | undefined>;
  /** Sends the public transaction that stands for a private one. */
  readonly sendPrivacyMarker: (parameters: SendPrivacyMarkerParameters) => Promise<Hash>;
  /** Sends a transaction that only its parties can read. */
  readonly sendPrivateTransaction: (parameters: SendPrivateTransactionParameters) => Promise<Hash>;
  /** Sends a private transaction that was signed elsewhere. */
  readonly sendRawPrivateTransaction: (parameters: SendRawPrivateTransactionParameters) => Promise<Hash>;
  /** Waits until a transaction is mined and its private state is known. */
  readonly waitForPrivateReceipt: (
    parameters: WaitForPrivateReceiptParameters,
  ) => Promise<WaitForPrivateReceiptReturnType>;
  /** Calls a private contract in a transaction that only its parties can read. */
  readonly writePrivateContract: <
    const abi extends Abi | readonly unknown[],
    functionName extends ContractFunctionName<abi, Writing>,
    const args extends ContractFunctionArgs<abi, Writing, functionName>,
  >(
    parameters: WritePrivateContractParameters<abi, functionName, args>,
  ) => Promise<Hash>;
};

/**
 * Private transactions: `client.extend(privateActions())`.
 *
 * @param defaults - how transactions are sent where a call does not say it
 */
export function privateActions(defaults: SendingParameters = {}): (client: Client) => PrivateActions {
  return (client) => ({
    deployPrivateContract: (parameters) => deployPrivateContract(client, { ...defaults, ...parameters }),
    distributePrivateTransaction: (parameters) => distributePrivateTransaction(client, parameters),
    getContractPrivacy: (parameters) => getContractPrivacy(client, parameters),
    getPrivatePayload: (parameters) => getPrivatePayload(client, parameters),
    getPrivateTransaction: (parameters) => getPrivateTransaction(client, parameters),
    sendPrivacyMarker: (parameters) => sendPrivacyMarker(client, parameters),
    sendPrivateTransaction: (parameters) => sendPrivateTransaction(client, { ...defaults, ...parameters }),
    sendRawPrivateTransaction: (parameters) => sendRawPrivateTransaction(client, parameters),
    waitForPrivateReceipt: (parameters) => waitForPrivateReceipt(client, parameters),
    writePrivateContract: (parameters) =>
      writePrivateContract(client, { ...defaults, ...(parameters as object) } as typeof parameters),
  });
}
