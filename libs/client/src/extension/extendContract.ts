import type { Address, Client, Hash } from 'viem';
import type { AccountMissingError, NodeAccountNeededError } from '../errors/account-errors.js';
import type { RejectionOf } from '../errors/request-error.js';
import { privacyData, type PrivacyParameters, type PtmKey } from '../private/privacy.js';
import { nodeAccount, type AccountParameter } from '../private/sending-account.js';
import { callOnce } from '../wire/call-method.js';

export type ExtendContractParameters = AccountParameter &
  Pick<PrivacyParameters, 'privateFrom' | 'privacyFlag'> & {
    /** Private contract that this node created. */
    readonly address: Address;
    /** Key of the new party's transaction manager. */
    readonly recipientKey: PtmKey;
    /** Account of the new party, which must approve. */
    readonly recipient: Address;
  };

export type ExtendContractErrorType =
  AccountMissingError | NodeAccountNeededError | RejectionOf<'chainExtension_extendContract'>;

/**
 * Begins to extend a private contract to a new party, by an account of the node that created it.
 *
 * @param client - client of the node that created the contract
 * @param parameters - the contract and the new party
 * @returns hash of the transaction that creates the management contract
 */
export function extendContract(client: Client, parameters: ExtendContractParameters): Promise<Hash> {
  const { address, recipientKey, recipient, privateFrom, privacyFlag } = parameters;
  return callOnce(client, 'chainExtension_extendContract', address, recipientKey, recipient, {
    from: nodeAccount(client, parameters, 'extendContract'),
    ...privacyData({ privateFor: [recipientKey], privateFrom, privacyFlag }),
  });
}

export type CancelExtensionParameters = AccountParameter &
  PrivacyParameters & {
    /** Management contract of the extension. */
    readonly managementContract: Address;
  };

export type CancelExtensionErrorType =
  AccountMissingError | NodeAccountNeededError | RejectionOf<'chainExtension_cancelExtension'>;

/**
 * Cancels an extension, by the account that began it.
 *
 * @param client - client of the initiator's node
 * @param parameters - the extension; `privateFor` has the key of the new party
 * @returns hash of the transaction
 */
export function cancelExtension(client: Client, parameters: CancelExtensionParameters): Promise<Hash> {
  return callOnce(client, 'chainExtension_cancelExtension', parameters.managementContract, {
    from: nodeAccount(client, parameters, 'cancelExtension'),
    ...privacyData(parameters),
  });
}
