import { namesOf } from '@tetrad/db';
import { hashToBytes } from '@tetrad/types';
import { chain } from '../generated/tables.js';
import type { ChainIdentity } from '../ledger-rows.js';
import type { Statements } from '../statements.js';

const CREATE = `
  INSERT INTO ${chain.table} (${namesOf(chain, ['id', 'chainId', 'genesisHash', 'headNumber'])}) VALUES (1, $1, $2, $3)`;

/** Stores the identity of the chain, with its head. */
export async function createChain(
  statements: Statements,
  { chainId, genesisHash }: ChainIdentity,
  headNumber: number,
): Promise<void> {
  await statements.query(CREATE, [chainId.toString(), hashToBytes(genesisHash), headNumber]);
}
