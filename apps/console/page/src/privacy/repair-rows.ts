import type { NodeRepairs } from '../api/repair-shapes.js';

/** A private contract that was replaced by what another party had, as a list shows it. */
export interface RepairRow {
  /** At whose end it was replaced. */
  readonly block: number;
  readonly contract: string;
  /** Hashes. */
  readonly rootBefore: string;
  readonly rootAfter: string;
  /** When it was made or told, in seconds since the epoch. */
  readonly at: number;
  readonly by: OwnRepair | ToldRepair;
}

/** Made by the node that is asked. */
export interface OwnRepair {
  readonly kind: 'node';
  /** Key of the party whose state it is. */
  readonly from: string;
  readonly reason: string;
  /** Parties that have signed the state. */
  readonly signed: number;
  /** Parties that have yet to be told. */
  readonly untold: number;
}

/** Made by another party, which has told the node. */
export interface ToldRepair {
  readonly kind: 'party';
  readonly ptmKey: string;
  /** Whether the node that is asked has the same state after that block. */
  readonly isSame: boolean;
}

/** The repairs of a node and those of which it was told, the newest block first. */
export function repairRows({ repairs, told }: NodeRepairs): RepairRow[] {
  const own = repairs.map((repair): RepairRow => {
    const { from, reason, statements, untold } = repair;
    const by = { kind: 'node', from, reason, signed: statements.length, untold: untold.length } as const;
    return { ...changeOf(repair), at: repair.madeAt, by };
  });
  const others = told.map((notice): RepairRow => {
    const { ptmKey, isSame, heardAt } = notice;
    return { ...changeOf(notice), at: heardAt, by: { kind: 'party', ptmKey, isSame } };
  });
  return [...own, ...others].sort((a, b) => b.block - a.block || b.at - a.at);
}

function changeOf({
  blockNumber,
  contract,
  before,
  after,
}: Pick<NodeRepairs['told'][number], 'blockNumber' | 'contract' | 'before' | 'after'>) {
  return {
    block: blockNumber,
    contract,
    rootBefore: before.storageRoot,
    rootAfter: after.storageRoot,
  };
}
