import type { Address, Client, Hash } from 'viem';
import { InvalidPrivacyError, UnsupportedBySignerError } from '../errors/privacy-errors.js';
import { transactionMembers, type TransactionContent } from '../private/fill-transaction.js';
import type { PrivacyParameters } from '../private/privacy.js';
import { callOnce } from '../wire/call-method.js';

/** The key of the sender, and those of the recipients or the id of their group. */
export interface RestrictedParties {
  /** Key of the sender's transaction manager. */
  readonly privateFrom?: string | undefined;
  readonly privateFor?: readonly string[] | undefined;
  readonly privacyGroupId?: string | undefined;
}

/**
 * Has a signer sign a restricted transaction, and send it to its node.
 *
 * @throws UnsupportedBySignerError for protections that restricted transactions do not have
 * @throws InvalidPrivacyError without the key of the sender
 */
export function sendThroughSigner(
  client: Client,
  from: Address,
  parameters: TransactionContent &
    RestrictedParties &
    Pick<PrivacyParameters, 'allowSubset' | 'privacyFlag' | 'mandatoryFor'> & { readonly marker?: unknown },
): Promise<Hash> {
  const { privateFrom, privateFor, privacyGroupId, privacyFlag = 0, mandatoryFor, marker } = parameters;
  if (privacyFlag !== 0 && privacyFlag !== 'standard')
    throw new UnsupportedBySignerError({ field: 'privacyFlag' });
  if (parameters.allowSubset !== undefined) throw new UnsupportedBySignerError({ field: 'allowSubset' });
  if (mandatoryFor !== undefined) throw new UnsupportedBySignerError({ field: 'mandatoryFor' });
  if (typeof marker === 'object') throw new UnsupportedBySignerError({ field: 'marker' });
  if (privateFrom === undefined)
    throw new InvalidPrivacyError({ field: 'privateFrom', problem: 'is needed behind a signer' });
  const { input: data, ...members } = transactionMembers(parameters);
  return callOnce(client, 'eea_sendTransaction', {
    from,
    ...members,
    data,
    privateFrom,
    restriction: 'restricted',
    ...(privateFor === undefined ? {} : { privateFor }),
    ...(privacyGroupId === undefined ? {} : { privacyGroupId }),
  });
}
