import {
  decodeCiphertext,
  decodeJointKey,
  decodePoint,
  decodeSignature,
  decodeWord,
  isFieldElement,
  isFullCreation,
  type AccountCreation,
  type Point,
  type Signature,
} from '@tetrad/rollup-crypto';
import { MAX_ACCOUNTS } from '@tetrad/rollup-state';
import type { RollupStore } from '@tetrad/rollup-store';
import { RequestError } from '@tetrad/types';
import { assertServed } from './assert-served.js';
import type { Check } from './check-job.js';
import type { CheckPool } from './check-pool.js';
import type { Refusals } from './refusals.js';

export type RegistrationStatus =
  | 'REGISTERED'
  | 'PUBLIC_KEY_ALREADY_EXISTS'
  | 'INVALID_PUBLIC_KEY'
  | 'INVALID_JOINT_ENCRYPTION_KEY'
  | 'INVALID_ENCRYPTION'
  | 'INVALID_SIGNATURE';

/** Bytes of a registration, each of the length that the interface gives it. */
export interface RegistrationBytes {
  readonly publicKey: Uint8Array;
  readonly jointEncryptionKey: Uint8Array;
  readonly blindingFactor: Uint8Array;
  readonly ciphertext: Uint8Array;
  readonly randomizationFactor: Uint8Array;
  readonly signature: Uint8Array;
}

export interface RegistrationParts {
  readonly store: Pick<RollupStore, 'accept' | 'findExitRules' | 'findFrozen' | 'readHead'>;
  readonly pool: CheckPool;
  readonly refusals: Refusals;
  /** The operator's half of every joint key. */
  readonly operatorKey: Point;
}

/**
 * Registers an account, which gets its id when the registration is executed. A failure is a status: a text with the blinding
 * factor alone is `INVALID_ENCRYPTION` for a contract that freezes, which takes no batch with it.
 * @throws RequestError (ROLLUP_FULL, ROLLUP_FROZEN, QUEUE_FULL)
 */
export async function register(
  parts: RegistrationParts,
  bytes: RegistrationBytes,
): Promise<RegistrationStatus> {
  const check = readRegistration(bytes, parts.operatorKey);
  if (typeof check === 'string') return check;
  await assertServed(parts.store);
  if (!isFullCreation(check.operation.ciphertext) && (await parts.store.findExitRules()) === 'freeze')
    return 'INVALID_ENCRYPTION';
  const { hash, fault } = await parts.pool.check(check);
  if (fault !== undefined) return fault;
  if ((await parts.store.readHead()).nextAccountId >= MAX_ACCOUNTS) {
    throw new RequestError('ROLLUP_FULL', `the rollup has its ${MAX_ACCOUNTS - 1} accounts`);
  }
  const acceptance = await parts.store.accept({ hash, operation: check.operation });
  if (typeof acceptance === 'object') throw await parts.refusals.errorOf(acceptance, 'new accounts');
  return acceptance === 'ACCEPTED' ? 'REGISTERED' : acceptance;
}

type RegistrationCheck = Check & { readonly operation: AccountCreation & { readonly signature: Signature } };

/** In the order of the parameters, so that the status names the first that is wrong. */
function readRegistration(
  bytes: RegistrationBytes,
  operatorKey: Point,
): RegistrationCheck | RegistrationStatus {
  const publicKey = decodePoint(bytes.publicKey);
  if (publicKey === undefined) return 'INVALID_PUBLIC_KEY';
  const key = decodeJointKey(bytes.jointEncryptionKey);
  if (key === undefined || key.operator.x !== operatorKey.x || key.operator.y !== operatorKey.y) {
    return 'INVALID_JOINT_ENCRYPTION_KEY';
  }
  const blindingFactor = decodeWord(bytes.blindingFactor);
  const ciphertext = decodeCiphertext(bytes.ciphertext);
  if (ciphertext === undefined || !isFieldElement(blindingFactor)) return 'INVALID_ENCRYPTION';
  const signature = decodeSignature(bytes.signature);
  if (signature === undefined) return 'INVALID_SIGNATURE';
  const fields = { publicKey, jointKey: key, blindingFactor, ciphertext, signature };
  const randomizationFactor = decodeWord(bytes.randomizationFactor);
  return {
    operation: { kind: 'createAccount', ...fields },
    publicKey,
    encryption: { key, randomizationFactor },
  };
}
