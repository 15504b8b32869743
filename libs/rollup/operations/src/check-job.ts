import {
  FixedBaseTable,
  isEncryptionOf,
  operationHash,
  acceptedPlaintext,
  verifySignature,
  type JointKey,
  type Point,
} from '@tetrad/rollup-crypto';
import type { SignedOperation } from '@tetrad/rollup-store';

/** What of an operation can be checked without the state. */
export interface Check {
  readonly operation: SignedOperation;
  /** Public key of the account that signed. */
  readonly publicKey: Point;
  /** For operations with a ciphertext: the key it is encrypted to, and the randomization factor that says so. */
  readonly encryption: { readonly key: JointKey; readonly randomizationFactor: bigint } | undefined;
}

/** Checks for one message to a thread. */
export interface CheckJob {
  /** Which rollup it is (rollupDomain). */
  readonly domain: bigint;
  readonly checks: readonly Check[];
}

/** The operation hash, which is known whatever else is wrong. */
export interface CheckOutcome {
  readonly hash: bigint;
  readonly fault: 'INVALID_SIGNATURE' | 'INVALID_ENCRYPTION' | undefined;
}

export function runCheckJob({ domain, checks }: CheckJob): CheckOutcome[] {
  return checks.map((check) => runCheck(domain, check));
}

/** The signature first: what follows is done for account holders only. */
function runCheck(domain: bigint, { operation, publicKey, encryption }: Check): CheckOutcome {
  const hash = operationHash(domain, operation);
  if (!verifySignature(publicKey, hash, operation.signature)) return { hash, fault: 'INVALID_SIGNATURE' };
  if (operation.kind === 'outboundTransfer' || encryption === undefined) return { hash, fault: undefined };
  const { key, randomizationFactor } = encryption;
  const words = acceptedPlaintext(operation);
  const isRight = isEncryptionOf(
    operation.ciphertext,
    words,
    key,
    randomizationFactor,
    tableOf(key.operator),
  );
  return { hash, fault: isRight ? undefined : 'INVALID_ENCRYPTION' };
}

/** 653 kB each, for good; the operator changes its key rarely. */
const MAX_TABLES = 8;
const operatorTables = new Map<bigint, FixedBaseTable>();

/**
 * Accounts have the operator's key of the time in which they were made.
 * @returns undefined beyond some keys, which take longer
 */
function tableOf(point: Point): FixedBaseTable | undefined {
  const known = operatorTables.get(point.x);
  if (known?.point.y === point.y) return known;
  if (operatorTables.size >= MAX_TABLES) return undefined;
  const table = new FixedBaseTable(point);
  operatorTables.set(point.x, table);
  return table;
}
