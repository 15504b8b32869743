import { clientBytes } from '@tetrad/db';
import {
  encodeJointKey,
  encodePoint,
  encodeWord,
  operationKinds,
  type AccountCreation,
  type Ciphertext,
  type OutboundTransfer,
  type SignedKind,
} from '@tetrad/rollup-crypto';
import { adoptOperation } from './hot/adopt-operation.js';
import { UNKNOWN_SIGNATURE, type StoredOperation } from './operation-rows.js';
import type { RollupCalls } from './rollup-client.js';
import type { Statements } from './statements.js';
import { writtenOperation } from './written-operation.js';

/** The data on the chain about an operation in a batch of another submitter. */
export interface AdoptablePlace {
  readonly kind: SignedKind['kind'];
  /** The account whose leaf changes, and the nonce that the operation must have; for a new account they do not matter. */
  readonly accountId: number;
  readonly nonce: number;
  /** Undefined for a transfer out, which has none. */
  readonly ciphertext: Ciphertext | undefined;
  /** Blinding factor of a new account, as the operator's key reads it in the ciphertext; undefined without the key. */
  readonly blindingFactor?: bigint | undefined;
  /** Of a transfer out, of which nothing is hidden. */
  readonly transfer?: Pick<OutboundTransfer, 'toEthereumAddress' | 'tokenId' | 'amount'> | undefined;
}

/** An operation as it follows from the chain, with the hash that its account must have signed. */
export interface AdoptedOperation {
  readonly hash: bigint;
  readonly operation: SignedKind;
}

/** @param adopted.operation - a creation is of a key that has no account */
export async function insertAdopted(
  { statements, calls }: { readonly statements: Statements; calls(): Promise<RollupCalls> },
  { hash, operation }: AdoptedOperation,
): Promise<StoredOperation> {
  if (operation.kind === 'createAccount') await register(await calls(), hash, operation);
  const signed = { ...operation, signature: UNKNOWN_SIGNATURE };
  return adoptOperation(statements, writtenOperation({ hash, operation: signed }));
}

async function register(
  calls: RollupCalls,
  hash: bigint,
  { publicKey, jointKey, blindingFactor }: AccountCreation,
): Promise<void> {
  const [key, id] = [clientBytes(encodePoint(publicKey)), clientBytes(encodeWord(hash))];
  const registered = {
    operationHash: id,
    jointKey: clientBytes(encodeJointKey(jointKey)),
    blindingFactor: clientBytes(encodeWord(blindingFactor)),
  };
  await calls.account.upsert({
    where: { publicKey: key },
    create: { publicKey: key, ...registered },
    update: registered,
  });
  // What is registered with the key here, with another text, can never be executed: the chain has the account.
  await calls.operation.updateMany({
    where: { kind: operationKinds.createAccount, status: 'PENDING', publicKey: key, hash: { not: id } },
    data: { status: 'REJECTED', rejectionReason: 'ACCOUNT_ALREADY_EXISTS', waiting: false },
  });
}
