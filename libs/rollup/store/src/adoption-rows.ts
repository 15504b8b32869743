import {
  encodeCiphertext,
  encodeJointKey,
  encodePoint,
  encodeWord,
  operationKinds,
  type AccountCreation,
  type Ciphertext,
  type OutboundTransfer,
  type SignedKind,
} from '@tetrad/rollup-crypto';
import { addressToBytes } from '@tetrad/types';
import type { PoolClient } from 'pg';
import {
  OPERATION_COLUMNS,
  UNKNOWN_SIGNATURE,
  parseOperation,
  writtenOperation,
  type RawOperation,
  type StoredOperation,
} from './operation-rows.js';

/** The data on the chain about an operation in a batch of another submitter. */
export interface AdoptablePlace {
  readonly kind: SignedKind['kind'];
  /** The account whose leaf changes, and the nonce that the operation must have; for a new account they do not matter. */
  readonly accountId: number;
  readonly nonce: number;
  /** Undefined for a transfer out, which has none. */
  readonly ciphertext: Ciphertext | undefined;
  /** Of a new account, as the operator's key reads it in the ciphertext; undefined without the key. */
  readonly blindingFactor?: bigint | undefined;
  /** Of a transfer out, of which nothing is hidden. */
  readonly transfer?: Pick<OutboundTransfer, 'toEthereumAddress' | 'tokenId' | 'amount'> | undefined;
}

/** An operation as it follows from the chain, with the hash that its account must have signed. */
export interface AdoptedOperation {
  readonly hash: bigint;
  readonly operation: SignedKind;
}

/**
 * Those who lost a nonce here may be the ones that the chain has; what was executed is in a batch before. A holder can make any
 * number with the same text: the first ones are looked at. Who registers with two operators makes two texts, which hold the
 * same blinding factor.
 */
const CREATION = `
  SELECT ${OPERATION_COLUMNS} FROM operation
   WHERE kind = ${operationKinds.createAccount} AND status = 'PENDING' AND account_id IS NULL
     AND (ciphertext = $1 OR blinding_factor = $2)
   ORDER BY sequence LIMIT 16 FOR UPDATE`;
const OTHER = `
  SELECT ${OPERATION_COLUMNS} FROM operation
   WHERE account_id = $1 AND kind = $2 AND nonce = $3 AND status <> 'EXECUTED'
     AND ciphertext IS NOT DISTINCT FROM $4
     AND ($5::bytea IS NULL OR (to_address = $5 AND token_id = $6 AND amount = $7))
   ORDER BY sequence LIMIT 16 FOR UPDATE`;

export async function findAdoptable(
  client: PoolClient,
  { kind, accountId, nonce, ciphertext, blindingFactor, transfer }: AdoptablePlace,
): Promise<StoredOperation[]> {
  const text = ciphertext === undefined ? null : Buffer.from(encodeCiphertext(ciphertext));
  const { rows } =
    kind === 'createAccount'
      ? await client.query<RawOperation>(CREATION, [
          ...[text, blindingFactor === undefined ? null : Buffer.from(encodeWord(blindingFactor))],
        ])
      : await client.query<RawOperation>(OTHER, [
          ...[accountId, operationKinds[kind], nonce, text],
          transfer === undefined ? null : Buffer.from(addressToBytes(transfer.toEthereumAddress)),
          ...[transfer?.tokenId ?? null, transfer?.amount.toString() ?? null],
        ]);
  return rows.map(parseOperation);
}

const COLUMNS = `hash, kind, account_id, nonce, from_account_id, to_account_id, to_address, token_id, amount,
  blinding_factor, public_key, joint_key, total_index, ciphertext, signature`;

/** A creation that was rejected here, and is sent again, has its hash in a row already. */
const INSERT = `
  INSERT INTO operation (${COLUMNS})
  SELECT decode(hash, 'hex'), kind, account_id, nonce, from_account_id, to_account_id, decode(to_address, 'hex'), token_id,
         amount, decode(blinding_factor, 'hex'), decode(public_key, 'hex'), decode(joint_key, 'hex'), total_index, decode(ciphertext, 'hex'), decode(signature, 'hex')
    FROM json_to_record($1::json) AS new (
         hash text, kind int, account_id int, nonce bigint, from_account_id int, to_account_id int, to_address text,
         token_id int, amount numeric, blinding_factor text, public_key text, joint_key text, total_index bigint, ciphertext text, signature text)
  ON CONFLICT (hash) DO UPDATE SET status = 'PENDING', rejection_reason = NULL WHERE operation.status = 'REJECTED'
  RETURNING ${OPERATION_COLUMNS}`;

/** What is registered with the key here, with another text, can never be executed: the chain has the account. */
const REJECT_OTHERS = `
  UPDATE operation SET status = 'REJECTED', rejection_reason = 'ACCOUNT_ALREADY_EXISTS', waiting = false
   WHERE kind = ${operationKinds.createAccount} AND status = 'PENDING' AND public_key = $1 AND hash <> $2`;
const REGISTER = `
  INSERT INTO account (public_key, operation_hash, joint_key, blinding_factor) VALUES ($1, $2, $3, $4)
  ON CONFLICT (public_key) DO UPDATE
     SET operation_hash = excluded.operation_hash, joint_key = excluded.joint_key,
         blinding_factor = excluded.blinding_factor`;

/** In: a creation is of a key that has no account */
export async function insertAdopted(
  client: PoolClient,
  { hash, operation }: AdoptedOperation,
): Promise<StoredOperation> {
  if (operation.kind === 'createAccount') await register(client, hash, operation);
  const signed = { ...operation, signature: UNKNOWN_SIGNATURE };
  const { rows } = await client.query<RawOperation>(INSERT, [
    JSON.stringify(writtenOperation({ hash, operation: signed }, 0, false)),
  ]);
  return parseOperation(rows[0] as RawOperation);
}

async function register(
  client: PoolClient,
  hash: bigint,
  { publicKey, jointKey, blindingFactor }: AccountCreation,
): Promise<void> {
  const [key, id] = [Buffer.from(encodePoint(publicKey)), Buffer.from(encodeWord(hash))];
  const parts = [encodeJointKey(jointKey), encodeWord(blindingFactor)].map((bytes) => Buffer.from(bytes));
  await client.query(REGISTER, [key, id, ...parts]);
  await client.query(REJECT_OTHERS, [key, id]);
}
