import { asBuffer, type Database } from '@tetrad/db';
import { decodePoint, encodePoint, type Point } from '@tetrad/rollup-crypto';
import { addressFromBytes, addressToBytes, type Address } from '@tetrad/types';
import { RollupStoreError } from './rollup-store-error.js';

/** Which rollup the rows are of. */
export interface RollupIdentity {
  readonly chainId: bigint;
  readonly contract: Address;
  /** The operator's half of the joint keys of new accounts. */
  readonly operatorKey: Point;
  /** Operations of a batch when the database was made; each batch has its own size, so this may change. */
  readonly batchSize: number;
}

type Statements = Pick<Database['pool'], 'query'>;

interface RawIdentity {
  readonly chain_id: string;
  readonly contract: Buffer;
  readonly operator_key: Buffer;
  readonly batch_size: number;
}

export async function findIdentity(from: Statements): Promise<RollupIdentity | undefined> {
  // A chain id is a 64-bit number of others' choosing, and is read as a text.
  const { rows } = await from.query<RawIdentity>(
    'SELECT chain_id::text, contract, operator_key, batch_size FROM rollup WHERE id = 1',
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const operatorKey = decodePoint(row.operator_key);
  if (operatorKey === undefined) throw new RollupStoreError('the rollup row of the database is damaged');
  const contract = addressFromBytes(row.contract);
  return { chainId: BigInt(row.chain_id), contract, operatorKey, batchSize: row.batch_size };
}

/**
 * Stores which rollup the database is of, the first time.
 *
 * In:    formerKeys — keys that the operator had before: a database with one of them is the same rollup's
 * Fails: RollupStoreError when it is of another one: rows of two rollups must not be mixed
 */
export async function claimIdentity(
  to: Statements,
  identity: RollupIdentity,
  formerKeys: readonly Point[],
): Promise<void> {
  const { chainId, contract, operatorKey, batchSize } = identity;
  await to.query(
    `INSERT INTO rollup (id, chain_id, contract, operator_key, batch_size) VALUES (1, $1, $2, $3, $4)
     ON CONFLICT DO NOTHING`,
    [
      ...[String(chainId), asBuffer(addressToBytes(contract))],
      ...[asBuffer(encodePoint(operatorKey)), batchSize],
    ],
  );
  const stored = (await findIdentity(to)) as RollupIdentity;
  const difference = differenceOf(stored, identity, formerKeys);
  if (difference !== undefined)
    throw new RollupStoreError(`the database belongs to another rollup: ${difference}`);
}

/** Another key of the same operator, once the contract has it. */
export async function changeOperatorKey(to: Statements, operatorKey: Point): Promise<void> {
  const { rowCount } = await to.query('UPDATE rollup SET operator_key = $1 WHERE id = 1', [
    asBuffer(encodePoint(operatorKey)),
  ]);
  if (rowCount !== 1) throw new RollupStoreError('the database is of no rollup yet');
}

function differenceOf(
  stored: RollupIdentity,
  asked: RollupIdentity,
  formerKeys: readonly Point[],
): string | undefined {
  if (stored.chainId !== asked.chainId) return `its chain is ${stored.chainId}, not ${asked.chainId}`;
  if (stored.contract !== asked.contract) return `its contract is ${stored.contract}, not ${asked.contract}`;
  const isStored = ({ x, y }: Point) => stored.operatorKey.x === x && stored.operatorKey.y === y;
  if (![asked.operatorKey, ...formerKeys].some(isStored))
    return 'its operator key is another one, and not of --former-operator-key-files';
  return undefined;
}
