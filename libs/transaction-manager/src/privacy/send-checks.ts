import type { GiveWay } from '@tetrad/rpc';
import type { PtmKey } from '@tetrad/types';
import { ManagerError } from '../manager-error.js';
import { toBase64 } from '../payload/base64.js';
import {
  EXEC_HASH_TEXT,
  MANDATORY_TEXT,
  PrivacyFlag,
  type EncodedPayload,
} from '../payload/encoded-payload.js';
import { includesAll, sameSet, type KnownPayload, type KnownPayloads } from './known-payload.js';

/** What a client says about the privacy of a payload. */
export interface PrivacyMetadata {
  readonly privacyFlag: PrivacyFlag;
  /** Hashes of 64 bytes: the payloads that created the affected contracts. */
  readonly affected: readonly Uint8Array[];
  /** ASCII of the base64 root, or empty. */
  readonly execHash: Uint8Array;
  readonly mandatoryRecipients: readonly PtmKey[];
  readonly privacyGroupId: Uint8Array | undefined;
}

/**
 * Of whom, and how, a payload may be sent.
 * @throws ManagerError with the text of existing managers
 */
export async function checkSend(
  metadata: PrivacyMetadata,
  recipients: readonly PtmKey[],
  context: { readonly known: KnownPayloads; readonly enhanced: boolean; readonly giveWay: GiveWay },
): Promise<void> {
  const { privacyFlag, mandatoryRecipients } = metadata;
  if (privacyFlag !== PrivacyFlag.Standard && !context.enhanced)
    throw new ManagerError('forbidden', 'Enhanced Privacy is not enabled');
  const affected = metadata.affected.map((hash) => find(hash, context.known));
  if (privacyFlag === PrivacyFlag.MandatoryRecipients && !includesAll(recipients, mandatoryRecipients))
    throw new ManagerError(
      'forbidden',
      'One or more mandatory recipients not included in the participant list',
    );
  for (const one of affected) {
    await context.giveWay();
    checkAffected(one, metadata, recipients);
  }
  checkMembers(metadata);
}

function find(hash: Uint8Array, known: KnownPayloads): KnownPayload {
  const name = toBase64(hash);
  const found = known.get(name);
  if (found === undefined)
    throw new ManagerError('forbidden', `Unable to find affectedContractTransaction ${name}`);
  return found;
}

function checkAffected(
  { hash, payload }: KnownPayload,
  { privacyFlag, mandatoryRecipients }: PrivacyMetadata,
  recipients: readonly PtmKey[],
): void {
  if (!isCompatible(payload, { privacyFlag, mandatoryRecipients }))
    throw new ManagerError('forbidden', `Privacy metadata mismatched with Affected Txn ${toBase64(hash)}`);
  if (privacyFlag === PrivacyFlag.StateValidation && !sameSet(payload.recipientKeys, recipients))
    throw new ManagerError('forbidden', `Recipients mismatched for Affected Txn ${toBase64(hash)}`);
}

/** Whether a transaction may affect a contract with that creation: the same flag, and all mandatory recipients. */
export function isCompatible(
  creation: Pick<EncodedPayload, 'privacyFlag' | 'mandatoryRecipients'>,
  later: Pick<EncodedPayload, 'privacyFlag' | 'mandatoryRecipients'>,
): boolean {
  if (creation.privacyFlag !== later.privacyFlag) return false;
  return includesAll(later.mandatoryRecipients, creation.mandatoryRecipients);
}

function checkMembers({ privacyFlag, execHash, mandatoryRecipients }: PrivacyMetadata): void {
  const validates = privacyFlag === PrivacyFlag.StateValidation;
  if (validates !== execHash.length > 0) throw new ManagerError('rejected', EXEC_HASH_TEXT);
  const mandates = privacyFlag === PrivacyFlag.MandatoryRecipients;
  if (mandates === mandatoryRecipients.length > 0) return;
  throw new ManagerError(
    'rejected',
    mandates ? 'Mandatory recipients data is missing for Mandatory Recipients privacy mode' : MANDATORY_TEXT,
  );
}
