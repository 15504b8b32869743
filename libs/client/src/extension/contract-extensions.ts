import type { Address, Client } from 'viem';
import type { PtmKey } from '../private/privacy.js';
import { callMethod } from '../wire/call-method.js';
import type { ResultOf } from '../wire/method-types.js';

/** An active extension of a private contract to a new party. */
export type ContractExtension = ResultOf<'chainExtension_activeExtensionContracts'>[number];

/** What a node knows of a contract and of its extensions, for people who decide on one. */
export type ExtensionInspection = ResultOf<'chainExtension_inspect'>;

/** `DONE` once it was accepted, rejected or cancelled. */
export type ExtensionStatus = ResultOf<'chainExtension_getExtensionStatus'>;

/** Active extensions of which the node is the initiator or the receiver. */
export function getActiveExtensions(client: Client): Promise<readonly ContractExtension[]> {
  return callMethod(client, 'chainExtension_activeExtensionContracts');
}

export interface GetExtensionStatusParameters {
  /** Management contract of the extension. */
  readonly managementContract: Address;
}

/** Whether an extension is still going on. */
export function getExtensionStatus(
  client: Client,
  { managementContract }: GetExtensionStatusParameters,
): Promise<ExtensionStatus> {
  return callMethod(client, 'chainExtension_getExtensionStatus', managementContract);
}

export interface InspectExtensionParameters {
  /** Private contract, or management contract of an active extension of it. */
  readonly address: Address;
  /** Key of the new party; that of the only active extension without it. */
  readonly recipientKey?: PtmKey | undefined;
}

/** What a node knows before a contract is extended, or an extension approved: sizes, protections, statements of parties. */
export function inspectExtension(
  client: Client,
  { address, recipientKey }: InspectExtensionParameters,
): Promise<ExtensionInspection> {
  return callMethod(client, 'chainExtension_inspect', address, recipientKey);
}
