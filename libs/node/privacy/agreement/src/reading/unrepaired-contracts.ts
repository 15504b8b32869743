import type { AgreementStore, RepairStore } from '@tetrad/node-store';
import type { Address } from '@tetrad/types';
import { agreementOf } from './party-agreement.js';
import { repairedSince, type RepairedParts } from './repaired-since.js';

export interface UnrepairedParts extends Pick<RepairedParts, 'findState'> {
  readonly store: Pick<AgreementStore, 'listDiverged'>;
  readonly repairs: Pick<RepairStore, 'list' | 'listNotices'>;
}

/**
 * The contracts of which another party has stated another state with the newest transaction of both, and that neither has repaired
 * since. One that is at fault in an older block only, or of which the party was left out on purpose, is none of them.
 */
export async function unrepairedContracts(parts: UnrepairedParts): Promise<ReadonlySet<Address>> {
  const { store, findState } = parts;
  const diverged = (await store.listDiverged()).filter(({ contract: { block, transaction }, row }) => {
    const facts = { pair: undefined, row, block, transaction, stated: block, carriesMessages: true };
    return agreementOf({ ...facts, nowMs: row.madeAtMs }).kind === 'diverged';
  });
  const contracts = new Set<Address>();
  if (diverged.length === 0) return contracts;
  const repairs = await readOnce(parts.repairs);
  for (const { contract } of diverged)
    if ((await repairedSince({ repairs, findState }, contract)) === undefined)
      contracts.add(contract.contract);
  return contracts;
}

/** All repairs in two reads, however many contracts there are. */
async function readOnce(repairs: UnrepairedParts['repairs']): Promise<RepairedParts['repairs']> {
  const [here, told] = [await repairs.list(), await repairs.listNotices()];
  return {
    list: async (contract) => here.filter((repair) => repair.contract === contract),
    listNotices: async (contract) => told.filter((notice) => notice.contract === contract),
  };
}
