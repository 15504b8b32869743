import { MalformedPayloadError, PrivacyFlag, type EncodedPayload } from './encoded-payload.js';

/** What only payloads of one flag have; said at the sender too. */
export const EXEC_HASH_TEXT = 'ExecutionHash data is invalid';
export const MANDATORY_TEXT =
  'Mandatory recipients data only applicable for Mandatory Recipients privacy mode. ' +
  'In case no mandatory recipient is required, consider using Party Protection privacy mode';

/** What existing managers find when they put a pushed payload together. Fails: MalformedPayloadError with their texts */
export function checkPushed({ privacyFlag, execHash, mandatoryRecipients }: EncodedPayload): void {
  if ((privacyFlag === PrivacyFlag.StateValidation) !== execHash.length > 0)
    throw new MalformedPayloadError(EXEC_HASH_TEXT);
  if ((privacyFlag === PrivacyFlag.MandatoryRecipients) !== mandatoryRecipients.length > 0)
    throw new MalformedPayloadError(MANDATORY_TEXT);
}
