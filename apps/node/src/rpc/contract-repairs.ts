import type { RepairProgressView, RepairsView, contractRepairMethods } from '@tetrad/api-node';
import {
  openRepairDone,
  splitStatements,
  stateDigest,
  stateIn,
  type ContractRepairs,
  type ContractState,
  type RepairProgress,
} from '@tetrad/node-agreement';
import type { RepairNotice, RepairPermit, RepairSummary } from '@tetrad/node-store';
import type { Handlers } from '@tetrad/rpc';
import { RequestError } from '@tetrad/types';
import { partyStates } from '../privacy/contract-parties.js';
import type { PrivateParts } from '../privacy/open-privacy.js';
import type { NodeParts } from './node-parts.js';

const WAIT_SECONDS = 60;

type Parts = Pick<NodeParts, 'repairs' | 'ledger' | 'privacy' | 'clock'>;

/** Repairs of private contracts. */
export function contractRepairHandlers(parts: Parts): Handlers<typeof contractRepairMethods> {
  const { clock } = parts;
  return {
    async admin_repairContract([{ contract, from, agreeWith, acceptOne = false, reason, wait }]) {
      const { repairs } = partsOf(parts);
      const waitMs = (wait ?? WAIT_SECONDS) * 1_000;
      const wanted = { contract, source: from, agreeWith, acceptsOne: acceptOne, reason, waitMs };
      return viewProgress(await repairs.begin(wanted));
    },
    admin_getContractRepair() {
      const { progress } = partsOf(parts).repairs;
      return progress === undefined ? null : viewProgress(progress);
    },
    async admin_allowContractRepair([contract, other, seconds]): Promise<true> {
      const { own } = partsOf(parts);
      const { number } = parts.ledger.head().header;
      await own.view.demand(number);
      if ((await partyStates(parts.ledger, own).findState(contract, number)) === undefined)
        throw new RequestError('NOT_A_PRIVATE_CONTRACT', `this node has no private contract ${contract}`);
      await own.repairStore.permit({ contract, other, untilMs: clock.now() + seconds * 1_000 });
      return true;
    },
    async privacy_listRepairs([contract]) {
      const { own } = partsOf(parts);
      const { repairStore } = own;
      const { findState } = partyStates(parts.ledger, own);
      const told: RepairsView['told'] = [];
      for (const notice of await repairStore.listNotices(contract)) {
        const isKnown = notice.block <= own.follower.head;
        const here = isKnown ? await findState(notice.contract, notice.block) : undefined;
        told.push(...viewNotice(notice, here));
      }
      const permits = await repairStore.listPermits(clock.now());
      return {
        repairs: (await repairStore.list(contract)).map(viewRepair),
        told,
        allowed: permits
          .filter((permit) => contract === undefined || permit.contract === contract)
          .map(viewPermit),
      };
    },
  };
}

/** @throws RequestError PRIVACY_NOT_AVAILABLE */
function partsOf({ repairs, privacy }: Parts): {
  readonly repairs: ContractRepairs;
  readonly own: PrivateParts;
} {
  const { own } = privacy;
  if (repairs !== undefined && own !== undefined) return { repairs, own };
  throw new RequestError('PRIVACY_NOT_AVAILABLE', 'PrivateTransactionManager is not enabled');
}

function viewProgress({ order, phase, block, failure }: RepairProgress): RepairProgressView {
  return { contract: order.contract, from: order.source, phase, blockNumber: block, failure };
}

function viewRepair(repair: RepairSummary): RepairsView['repairs'][number] {
  const { block, contract, own, source, request, reason, untold, madeAtMs } = repair;
  return {
    blockNumber: block,
    contract,
    ownPtmKey: own,
    from: source,
    request,
    reason,
    before: viewState(stateIn(repair.stateBefore)),
    after: viewState(stateIn(repair.stateAfter)),
    statements: splitStatements(repair.statements),
    untold: [...untold],
    madeAt: Math.floor(madeAtMs / 1_000),
  };
}

function viewNotice(
  { block, contract, own, other, notice, heardAtMs }: RepairNotice,
  here: ContractState | undefined,
): RepairsView['told'] {
  const done = openRepairDone(notice);
  if (done === undefined) return [];
  const { before, after } = done;
  return [
    {
      blockNumber: block,
      contract,
      ptmKey: other,
      ownPtmKey: own,
      before: viewState(before),
      after: viewState(after),
      isSame: here !== undefined && stateDigest(here) === stateDigest(after),
      notice,
      heardAt: Math.floor(heardAtMs / 1_000),
    },
  ];
}

function viewPermit({ contract, other, untilMs }: RepairPermit): RepairsView['allowed'][number] {
  return { contract, ptmKey: other, until: Math.floor(untilMs / 1_000) };
}

function viewState({ storageRoot, codeHash, nonce }: ContractState) {
  return { storageRoot, codeHash, nonce: nonce.toString() };
}
