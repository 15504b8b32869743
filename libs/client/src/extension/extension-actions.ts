import type { Client, Hash } from 'viem';
import { approveExtension, type ApproveExtensionParameters } from './approveExtension.js';
import {
  getActiveExtensions,
  getExtensionStatus,
  inspectExtension,
  type ContractExtension,
  type ExtensionInspection,
  type ExtensionStatus,
  type GetExtensionStatusParameters,
  type InspectExtensionParameters,
} from './contract-extensions.js';
import {
  cancelExtension,
  extendContract,
  type CancelExtensionParameters,
  type ExtendContractParameters,
} from './extendContract.js';
import { watchExtensions, type WatchExtensionsParameters } from './watchExtensions.js';

export type ExtensionActions = {
  /** Approves or rejects an extension. */
  readonly approveExtension: (parameters: ApproveExtensionParameters) => Promise<Hash>;
  /** Cancels an extension that this account began. */
  readonly cancelExtension: (parameters: CancelExtensionParameters) => Promise<Hash>;
  /** Begins to extend a private contract to a new party. */
  readonly extendContract: (parameters: ExtendContractParameters) => Promise<Hash>;
  /** Active extensions of which the node is the initiator or the receiver. */
  readonly getActiveExtensions: () => Promise<readonly ContractExtension[]>;
  /** Whether an extension is still going on. */
  readonly getExtensionStatus: (parameters: GetExtensionStatusParameters) => Promise<ExtensionStatus>;
  /** What the node knows before a contract is extended, or an extension approved. */
  readonly inspectExtension: (parameters: InspectExtensionParameters) => Promise<ExtensionInspection>;
  /** Calls listeners when extensions begin and end. */
  readonly watchExtensions: (parameters: WatchExtensionsParameters) => () => void;
};

/** Extensions of private contracts to new parties: `client.extend(extensionActions())`. */
export function extensionActions(): (client: Client) => ExtensionActions {
  return (client) => ({
    approveExtension: (parameters) => approveExtension(client, parameters),
    cancelExtension: (parameters) => cancelExtension(client, parameters),
    extendContract: (parameters) => extendContract(client, parameters),
    getActiveExtensions: () => getActiveExtensions(client),
    getExtensionStatus: (parameters) => getExtensionStatus(client, parameters),
    inspectExtension: (parameters) => inspectExtension(client, parameters),
    watchExtensions: (parameters) => watchExtensions(client, parameters),
  });
}
