import type { AgreementContract, RepairStore } from '@tetrad/node-store';
import type { Address } from '@tetrad/types';
import { openRepairDone, openRepairStatement, splitStatements } from '../repair/repair-statement.js';
import { stateBytes, stateDigest, type ContractState } from '../signed/contract-state.js';

export interface RepairedParts {
  readonly repairs: Pick<RepairStore, 'list' | 'listNotices'>;
  readonly findState: (contract: Address, block: number) => Promise<ContractState | undefined>;
}

/**
 * The last block at whose end one of two parties was repaired to what the other one has, as both have signed.
 * @param row - the newest transaction of both that entered the contract; earlier repairs do not count
 */
export async function repairedSince(
  parts: RepairedParts,
  row: AgreementContract,
): Promise<number | undefined> {
  const blocks = [...(await repairsHere(parts, row)), ...(await repairsThere(parts, row))];
  return blocks.length === 0 ? undefined : Math.max(...blocks);
}

async function repairsHere({ repairs }: RepairedParts, row: AgreementContract): Promise<number[]> {
  const found = await repairs.list(row.contract);
  return found
    .filter(({ block, own }) => block >= row.block && own === row.own)
    .filter(({ statements, stateAfter }) =>
      splitStatements(statements).some((signed) => {
        const statement = openRepairStatement(signed);
        if (statement?.from !== row.other) return false;
        return Buffer.compare(stateBytes(statement.state), stateAfter) === 0;
      }),
    )
    .map(({ block }) => block);
}

async function repairsThere(
  { repairs, findState }: RepairedParts,
  row: AgreementContract,
): Promise<number[]> {
  const blocks: number[] = [];
  for (const { block, own, other, notice } of await repairs.listNotices(row.contract)) {
    if (block < row.block || own !== row.own || other !== row.other) continue;
    const done = openRepairDone(notice);
    const here = done && (await findState(row.contract, block));
    if (done !== undefined && here !== undefined && stateDigest(here) === stateDigest(done.after))
      blocks.push(block);
  }
  return blocks;
}
