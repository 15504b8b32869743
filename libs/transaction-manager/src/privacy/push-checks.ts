import type { GiveWay } from '@tetrad/rpc';
import { ManagerError } from '../manager-error.js';
import { toBase64 } from '../payload/base64.js';
import {
  PrivacyFlag,
  payloadHash,
  type AffectedContract,
  type EncodedPayload,
} from '../payload/encoded-payload.js';
import { sameSet, type KnownPayload, type KnownPayloads } from './known-payload.js';
import { isCompatible } from './send-checks.js';

export interface CheckParts {
  readonly known: KnownPayloads;
  readonly enhanced: boolean;
  /** Asked before each contract that is compared with others of its parties. */
  readonly giveWay: GiveWay;
}

/**
 * Checks the payload of a peer.
 * @returns the part of it that may be stored, or undefined to drop it silently, so that the peer learns nothing about
 *   stored payloads
 * @throws ManagerError
 */
export async function checkPush(
  payload: EncodedPayload,
  { known, enhanced, giveWay }: CheckParts,
): Promise<EncodedPayload | undefined> {
  if (payload.privacyFlag !== PrivacyFlag.Standard && !enhanced)
    throw new ManagerError('forbidden', 'Enhanced Privacy is not enabled');
  const affected = payload.affected.flatMap(({ hash }) => known.get(toBase64(hash)) ?? []);
  for (const one of affected) {
    await giveWay();
    if (!isCompatible(one.payload, payload)) return undefined;
  }
  if (
    payload.privacyFlag === PrivacyFlag.StateValidation &&
    !(await validatesState(payload, affected, giveWay))
  )
    return undefined;
  return withProvenContracts(payload, known);
}

async function validatesState(
  payload: EncodedPayload,
  affected: readonly KnownPayload[],
  giveWay: GiveWay,
): Promise<boolean> {
  if (affected.length !== payload.affected.length) return false;
  if (affected.some((one) => !one.payload.recipientKeys.includes(payload.sender))) return false;
  for (const { hash, payload: creation } of affected) {
    await giveWay();
    if (!sameSet(creation.recipientKeys, payload.recipientKeys))
      throw new ManagerError('forbidden', `Recipients mismatched for Affected Txn ${toBase64(hash)}`);
  }
  return true;
}

/** The payload with those affected contracts whose security hash only a party to them can know. */
function withProvenContracts(payload: EncodedPayload, known: KnownPayloads): EncodedPayload {
  const proven = payload.affected.filter((affected) => isProven(affected, known));
  if (proven.length === payload.affected.length) return payload;
  if (payload.privacyFlag !== PrivacyFlag.StateValidation) return { ...payload, affected: proven };
  const invalid = payload.affected.filter((affected) => !isProven(affected, known));
  throw new ManagerError(
    'forbidden',
    `Invalid security hashes identified for PSC TX TxHash[${toBase64(payloadHash(payload))}]. ` +
      `Invalid ACOTHs: ${invalid.map(({ hash }) => toBase64(hash)).join(',')}`,
  );
}

function isProven(affected: AffectedContract, known: KnownPayloads): boolean {
  const creation = known.get(toBase64(affected.hash));
  return creation !== undefined && Buffer.compare(creation.securityHash, affected.securityHash) === 0;
}
