import { bytesToHex, type Address, type Client, type Hex } from 'viem';
import type { RejectionOf } from '../errors/request-error.js';
import { callMethod } from '../wire/call-method.js';
import { privacyFlags, type PrivacyFlag, type PtmKey } from './privacy.js';

export interface GetContractPrivacyParameters {
  readonly address: Address;
}

/** How a private contract is protected. */
export interface ContractPrivacy {
  readonly privacyFlag: PrivacyFlag;
  /** Parties that must be in every transaction. */
  readonly mandatoryFor: readonly PtmKey[];
  /** Hash of the payload that created it, which `getPrivatePayload` takes. */
  readonly creationPayloadHash: Hex;
}

export type GetContractPrivacyErrorType = RejectionOf<'eth_getContractPrivacyMetadata'>;

/**
 * How a private contract is protected, and which payload created it.
 *
 * @param client - client of the node of a party
 * @param parameters - the contract
 */
export async function getContractPrivacy(
  client: Client,
  { address }: GetContractPrivacyParameters,
): Promise<ContractPrivacy> {
  const metadata = await callMethod(client, 'eth_getContractPrivacyMetadata', address);
  const { creationTxHash, privacyFlag, mandatoryFor = [] } = metadata;
  const [name = 'standard'] = Object.entries(privacyFlags).find(([, number]) => number === privacyFlag) ?? [];
  return {
    privacyFlag: name as PrivacyFlag,
    mandatoryFor,
    creationPayloadHash: hexOf(creationTxHash),
  };
}

/** Nodes that also serve clients of GoQuorum write it in base64. */
function hexOf(hash: string): Hex {
  if (hash.startsWith('0x')) return hash as Hex;
  return bytesToHex(Uint8Array.from(atob(hash), (character) => character.charCodeAt(0)));
}
