import { asBuffer } from '@tetrad/db';
import { hashToBytes, type Hash } from '@tetrad/types';

/** A stored block. */
interface StoredBlock {
  readonly number: number;
  readonly hash: Hash;
}

/** A table in the form of a backup: `BackupTable` of libs/db. */
interface TakenTable {
  readonly name: string;
  readonly where?: string;
  readonly values?: Readonly<Record<string, string>>;
}

const upTo = (name: string, column: string, { number }: StoredBlock): TakenTable => ({
  name,
  where: `${column} <= ${number}`,
});

/** The table of what the validator key of the node signed last; a restore leaves it empty (docs/adr/0142). */
export const SIGNED_RECORDS = 'consensus_record';

/** Whether it holds private state, which can be rebuilt from chain and payloads. */
export function isPrivateTable(name: string): boolean {
  return name.startsWith('private_');
}

/**
 * Every table of the node as of the block as its head, in the order in which rows refer to each other. States are found
 * by their roots, so those of later blocks may stay. Private state may be some blocks behind, when it did not change up
 * to the block.
 */
export function nodeTables(head: StoredBlock): TakenTable[] {
  const { number, hash } = head;
  const inBlocks = (name: string) => upTo(name, 'block_number', head);
  return [
    { name: 'chain', values: { head_number: `${number}::bigint` } },
    upTo('block', 'number', head),
    ...['transaction', 'log'].map(inBlocks),
    ...['trie_node', 'trie_node_b', 'state_history', 'code', 'preimage'].map((name) => ({ name })),
    // It is that of the newest block, and is rebuilt from the tries at the next start.
    ...['flat_state', 'flat_state_head'].map((name) => ({ name, where: 'false' })),
    upTo('validator_set', 'from_block', head),
    {
      ...upTo('validator_vote', 'block', head),
      values: { until_block: `CASE WHEN until_block <= ${number} THEN until_block END` },
    },
    { name: 'validator_candidate' },
    { name: SIGNED_RECORDS },
    { name: 'pool_transaction' },
    {
      name: 'private_head',
      values: {
        number: `${number}::bigint`,
        hash: `'\\x${asBuffer(hashToBytes(hash)).toString('hex')}'::bytea`,
      },
    },
    upTo('private_block', 'number', head),
    ...['private_receipt', 'private_log', 'private_contract'].map(inBlocks),
    {
      ...upTo('private_extension', 'started_block', head),
      values: {
        approved_block: `CASE WHEN approved_block <= ${number} THEN approved_block END`,
        finished_block: `CASE WHEN finished_block <= ${number} THEN finished_block END`,
      },
    },
    ...['private_trie_node', 'private_code', 'private_preimage'].map((name) => ({ name })),
  ];
}
