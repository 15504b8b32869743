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

/** What of an operation can be judged without the state. */
export interface Check {
  readonly operation: SignedOperation;
  /** Of the account that signed. */
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

let operatorTable: FixedBaseTable | undefined;

/** One table, because the operator has one key: callers compare the half before. */
function tableOf(point: Point): FixedBaseTable {
  if (operatorTable?.point.x !== point.x || operatorTable.point.y !== point.y) {
    operatorTable = new FixedBaseTable(point);
  }
  return operatorTable;
}
