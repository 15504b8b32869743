import { InvalidPrivacyError } from '../errors/privacy-errors.js';
import type { PrivateDataParameter } from '../wire/methods.js';

/** Public key of a party's private transaction manager: base64 of 32 bytes. */
export type PtmKey = string;

/** How the parties of a contract are protected, and the number of each on the wire. */
export const privacyFlags = {
  /** The payload is private. */
  standard: 0,
  /** Others than its parties cannot call the contract. */
  counterpartyProtection: 1,
  /** As before, and the mandatory parties are in every transaction. */
  mandatoryParties: 2,
  /** All parties are in every transaction, and must come to the same state. */
  stateValidation: 3,
} as const;

export type PrivacyFlag = keyof typeof privacyFlags;

/** Who sees a transaction, and how they are protected. */
export interface PrivacyParameters {
  /** Keys of the recipients' transaction managers; empty for a transaction of this node alone. */
  readonly privateFor: readonly PtmKey[];
  /** Key of the sender; the manager's default without it. */
  readonly privateFrom?: PtmKey | undefined;
  /** By name, or by number. */
  readonly privacyFlag?: PrivacyFlag | (typeof privacyFlags)[PrivacyFlag] | undefined;
  /** Recipients that must be in every transaction with the contract; with `mandatoryParties`. */
  readonly mandatoryFor?: readonly PtmKey[] | undefined;
  /**
   * Whether known parties of a contract that the transaction enters may be left out, where the node refuses that
   * (`--refuse-partial-recipients`): they come to another state.
   */
  readonly allowSubset?: boolean | undefined;
}

const PTM_KEY = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

/**
 * The privacy parameters in their form on the wire, without other members.
 *
 * @throws InvalidPrivacyError that names the parameter
 */
export function privacyData(parameters: PrivacyParameters): PrivateDataParameter {
  const { privateFor, privateFrom, privacyFlag, mandatoryFor, allowSubset } = parameters;
  if (!Array.isArray(privateFor))
    throw new InvalidPrivacyError({ field: 'privateFor', problem: 'is missing' });
  assertKeys('privateFor', privateFor);
  assertKeys('privateFrom', privateFrom === undefined ? [] : [privateFrom]);
  assertKeys('mandatoryFor', mandatoryFor ?? []);
  return {
    privateFor,
    ...(privateFrom === undefined ? {} : { privateFrom }),
    ...(privacyFlag === undefined ? {} : { privacyFlag: flagNumber(privacyFlag) }),
    ...(mandatoryFor === undefined ? {} : { mandatoryFor }),
    ...(allowSubset === undefined ? {} : { allowSubset }),
  };
}

function flagNumber(flag: NonNullable<PrivacyParameters['privacyFlag']>): number {
  const number = typeof flag === 'string' ? privacyFlags[flag] : flag;
  if (!Object.values(privacyFlags).includes(number))
    throw new InvalidPrivacyError({
      field: 'privacyFlag',
      problem: `is not a privacy flag: ${String(flag)}`,
    });
  return number;
}

function assertKeys(field: string, keys: readonly PtmKey[]): void {
  for (const key of keys)
    if (!PTM_KEY.test(key))
      throw new InvalidPrivacyError({ field, problem: `is not a PTM key (base64 of 32 bytes): ${key}` });
}
