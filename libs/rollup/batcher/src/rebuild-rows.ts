import type { Database } from '@tetrad/db';
import type { ContractFollower, RollupReader } from '@tetrad/rollup-chain';
import type { LeaseClaim, RollupStore } from '@tetrad/rollup-store';
import { OperatorError } from '@tetrad/types';
import { whileLeased } from './proving/heartbeat.js';

export interface RebuildParts {
  readonly database: Database;
  readonly store: RollupStore;
  readonly follower: Pick<ContractFollower, 'step'>;
  readonly reader: Pick<RollupReader, 'head'>;
  /** Claim of the batcher: nothing else may change the rows meanwhile. */
  readonly claim: LeaseClaim;
  /**
   * Called after each page of blocks.
   * @param height - of the last batch in the rows
   */
  readonly onPage: (height: number) => void;
}

/** The rows after all that is final on the chain was read into them. */
export interface RebuiltRows {
  readonly height: number;
  readonly stateRoot: bigint;
  readonly accounts: number;
  /** Accounts that cannot be read from the chain: those whose holder has to register again. */
  readonly opaqueAccounts: number;
  /** Accounts whose consent cannot be opened, or that cannot be read and have or had one: what they ask the contract for may not be served. */
  readonly closedConsents: number;
  /** Whether root and height are those of the contract at the last block that was read. */
  readonly isSame: boolean;
}

/**
 * Reads the chain into the rows of an operator, which may be empty or older. An interrupted run goes on where it was.
 * @throws OperatorError when a batcher is at work on these rows, and as `ContractFollower.step`
 */
export async function rebuildRows(parts: RebuildParts): Promise<RebuiltRows> {
  const rebuilt = await whileLeased(parts, parts.claim, async () => {
    const { store, follower, onPage } = parts;
    while (await follower.step()) onPage(await store.finalHeight());
    return compared(parts);
  });
  if (rebuilt === undefined) throw new OperatorError('a batcher is at work on this database; stop it first');
  return rebuilt;
}

async function compared({ store, reader }: RebuildParts): Promise<RebuiltRows> {
  const [cursor] = await store.listChainBlocks(1);
  if (cursor === undefined)
    throw new OperatorError('the chain has no block yet that counts; see --blocks-to-finalization');
  const said = await reader.head({ blockHash: cursor.hash });
  const height = await store.finalHeight();
  const stateRoot = (await store.findBatch(height))?.roots?.state ?? said.stateRoot;
  return {
    height,
    stateRoot,
    ...(await store.countAccounts()),
    isSame: height === said.height && stateRoot === said.stateRoot,
  };
}
