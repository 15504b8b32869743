import type { PrivacyRequest } from '@tetrad/api-node';
import type { PrivacyFlag } from '@tetrad/node-private-state';
import { RequestError, type PtmKey } from '@tetrad/types';

/** The recipients of a private payload, and the protection of its contracts. */
export interface Distribution {
  /** The sender's key; the first one of the manager when absent. */
  readonly from?: PtmKey | undefined;
  readonly to: readonly PtmKey[];
  readonly privacyFlag: PrivacyFlag;
  /** Keys that must be among the parties; empty unless the flag is 2. */
  readonly mandatoryFor: readonly PtmKey[];
  /** Whether known parties of a contract of flag 0 may be left out. */
  readonly allowSubset?: boolean | undefined;
}

/** Whether the request is for a private transaction; an empty list of recipients counts. */
export function isPrivateRequest({ privateFor }: PrivacyRequest): boolean {
  return privateFor !== undefined;
}

/**
 * Rejects private members in a public request, so that a client does not publish a transaction that it meant to be private.
 * @throws RequestError NOT_A_PRIVATE_TRANSACTION
 */
export function assertNothingPrivate(request: PrivacyRequest): void {
  const { privateFrom, privacyFlag, mandatoryFor, allowSubset } = request;
  const hasParties = privateFrom !== undefined || mandatoryFor !== undefined || allowSubset === true;
  if (!hasParties && (privacyFlag ?? 0) === 0) return;
  throw new RequestError('NOT_A_PRIVATE_TRANSACTION', 'transaction is not private: privateFor is missing');
}

/**
 * Source: docs/spec/private-transactions.md#requests, in this order
 *
 * @param enhancements - whether privacy flags other than 0 are in force
 * @throws RequestError INVALID_PRIVACY_FLAG, PRIVACY_ENHANCEMENTS_DISABLED, MANDATORY_RECIPIENTS_MISSING,
 *   MANDATORY_RECIPIENTS_NOT_APPLICABLE
 */
export function readDistribution(request: PrivacyRequest, enhancements: boolean): Distribution {
  const { privateFrom, privateFor = [], privacyFlag = 0, mandatoryFor = [], allowSubset } = request;
  if (!isPrivacyFlag(privacyFlag)) throw new RequestError('INVALID_PRIVACY_FLAG', 'invalid privacy flag');
  if (!enhancements && privacyFlag !== 0) {
    throw new RequestError(
      'PRIVACY_ENHANCEMENTS_DISABLED',
      'PrivacyEnhancements are disabled. Can only accept transactions with PrivacyFlag=0(StandardPrivate).',
    );
  }
  if (privacyFlag === 2 && mandatoryFor.length === 0) {
    throw new RequestError(
      'MANDATORY_RECIPIENTS_MISSING',
      'missing mandatory recipients data. if no mandatory recipients required consider using PrivacyFlag=1(PartyProtection)',
    );
  }
  if (privacyFlag !== 2 && mandatoryFor.length > 0) {
    throw new RequestError(
      'MANDATORY_RECIPIENTS_NOT_APPLICABLE',
      'privacy metadata invalid. mandatory recipients are only applicable for PrivacyFlag=2(MandatoryRecipients)',
    );
  }
  return { from: privateFrom, to: privateFor, privacyFlag, mandatoryFor, allowSubset };
}

function isPrivacyFlag(flag: number): flag is PrivacyFlag {
  return flag === 0 || flag === 1 || flag === 2 || flag === 3;
}
