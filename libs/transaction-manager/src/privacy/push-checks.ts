import { ManagerError } from '../manager-error.js';
import { toBase64 } from '../payload/base64.js';
import {
  PrivacyFlag,
  payloadHash,
  type AffectedContract,
  type EncodedPayload,
} from '../payload/encoded-payload.js';
import { sameSet, type KnownPayload, type KnownPayloads } from './known-payload.js';
import { securityHash } from './security-hash.js';
import { isCompatible } from './send-checks.js';

/**
 * Judges the payload of a peer.
 *
 * Out: the part of it that may be stored, or undefined to drop it silently, so that the peer learns nothing about stored
 *      payloads
 * Fails: ManagerError
 */
export function judgePush(
  payload: EncodedPayload,
  { known, enhanced }: { readonly known: KnownPayloads; readonly enhanced: boolean },
): EncodedPayload | undefined {
  if (payload.privacyFlag !== PrivacyFlag.Standard && !enhanced)
    throw new ManagerError('forbidden', 'Enhanced Privacy is not enabled');
  const affected = payload.affected.flatMap(({ hash }) => known.get(toBase64(hash)) ?? []);
  if (affected.some((one) => !isCompatible(one.payload, payload))) return undefined;
  if (payload.privacyFlag === PrivacyFlag.StateValidation && !validatesState(payload, affected))
    return undefined;
  return withProvenContracts(payload, known);
}

function validatesState(payload: EncodedPayload, affected: readonly KnownPayload[]): boolean {
  if (affected.length !== payload.affected.length) return false;
  if (affected.some((one) => !one.payload.recipientKeys.includes(payload.sender))) return false;
  for (const { hash, payload: creation } of affected) {
    if (!sameSet(creation.recipientKeys, payload.recipientKeys))
      throw new ManagerError('forbidden', `Recipients mismatched for Affected Txn ${toBase64(hash)}`);
  }
  return true;
}

/** The payload with those affected contracts whose security hash only a party to them can know. */
function withProvenContracts(payload: EncodedPayload, known: KnownPayloads): EncodedPayload {
  const proven = payload.affected.filter((affected) => isProven(affected, payload, known));
  if (proven.length === payload.affected.length) return payload;
  if (payload.privacyFlag !== PrivacyFlag.StateValidation) return { ...payload, affected: proven };
  const invalid = payload.affected.filter((affected) => !proven.includes(affected));
  throw new ManagerError(
    'forbidden',
    `Invalid security hashes identified for PSC TX TxHash[${toBase64(payloadHash(payload))}]. ` +
      `Invalid ACOTHs: ${invalid.map(({ hash }) => toBase64(hash)).join(',')}`,
  );
}

function isProven(affected: AffectedContract, { cipherText }: EncodedPayload, known: KnownPayloads): boolean {
  const creation = known.get(toBase64(affected.hash));
  if (creation === undefined) return false;
  const expected = securityHash(cipherText, {
    cipherText: creation.payload.cipherText,
    masterKey: creation.masterKey,
  });
  return Buffer.compare(expected, affected.securityHash) === 0;
}
