import { parseAbi, type Address, type Client, type Hash } from 'viem';
import type { AccountMissingError } from '../errors/account-errors.js';
import type { RejectionOf } from '../errors/request-error.js';
import { privacyData, type PrivacyParameters } from '../private/privacy.js';
import { sendingAccount, type AccountParameter } from '../private/sending-account.js';
import { writePrivateContract } from '../private/writePrivateContract.js';
import { callMethod, callOnce } from '../wire/call-method.js';

export type ApproveExtensionParameters = AccountParameter &
  PrivacyParameters & {
    /** Management contract of the extension. */
    readonly managementContract: Address;
    /** False rejects the extension. */
    readonly vote?: boolean | undefined;
    /** Of the vote that a local account signs; estimated without it. */
    readonly gas?: bigint | undefined;
  };

export type ApproveExtensionErrorType = AccountMissingError | RejectionOf<'chainExtension_approveExtension'>;

/** The part of a management contract that a vote signed elsewhere calls. */
const voting = parseAbi(['function doVote(bool vote, string nextuuid)']);

/**
 * Approves or rejects an extension, by the account that it names as recipient: one of the node, or a local one.
 *
 * @param client - client of the recipient's node
 * @param parameters - the extension; `privateFor` has the key of the initiator
 * @returns hash of the vote
 */
export async function approveExtension(
  client: Client,
  { managementContract, vote = true, gas, ...parameters }: ApproveExtensionParameters,
): Promise<Hash> {
  const account = sendingAccount(client, parameters);
  const privacy = privacyData(parameters);
  const from = account.address;
  const txArgs = { from, ...privacy };
  if (account.type === 'json-rpc')
    return callOnce(client, 'chainExtension_approveExtension', managementContract, vote, txArgs);
  const uuid = await callMethod(
    client,
    'chainExtension_generateExtensionApprovalUuid',
    managementContract,
    from,
    txArgs,
  );
  return writePrivateContract(client, {
    ...parameters,
    account,
    gas,
    address: managementContract,
    abi: voting,
    functionName: 'doVote',
    args: [vote, uuid],
  });
}
