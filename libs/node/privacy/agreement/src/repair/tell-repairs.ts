import type { RepairSummary } from '@tetrad/node-store';
import type { ReceivedMessage } from '@tetrad/transaction-manager-client';
import { TokenBuckets, type BucketRate, type PtmKey } from '@tetrad/types';
import type { Heard } from '../exchange/heard.js';
import { readState, type ContractState } from '../signed/contract-state.js';
import { FixedFields } from '../signed/fixed-fields.js';
import { REPAIR_KINDS } from './repair-parts.js';
import { openRepairDone, signRepairDone } from './repair-statement.js';
import type { RepairingParts } from './repairing-parts.js';

/** Notices of one key that are looked at. */
const NOTICES: BucketRate = { perSecond: 0.1, burst: 16 };
const MAX_SENDERS = 1_024;
const MAX_AHEAD = 256;

/** Tells other parties what was repaired here, and hears what they have repaired. */
export class TellRepairs {
  private readonly notices = new TokenBuckets<PtmKey>(NOTICES, MAX_SENDERS);

  constructor(private readonly parts: RepairingParts) {}

  /** Tells those that were not told yet; a party whose manager has no room now, gets it later. */
  async tellAll(): Promise<void> {
    for (const repair of await this.parts.store.listUntold()) {
      const untold: PtmKey[] = [];
      for (const other of repair.untold) if (!(await this.tell(repair, other))) untold.push(other);
      if (untold.length < repair.untold.length) await this.parts.store.setUntold(repair, untold);
    }
  }

  async hear({ from, to, body }: ReceivedMessage): Promise<Heard> {
    const { chainId, genesisHash, shared, store, clock, logger, followed, hashOf } = this.parts;
    if (!this.notices.take(from, clock.now())) return 'too-many';
    const done = openRepairDone(body);
    if (done === undefined) return 'malformed';
    const { contract, block, blockHash, signer } = done;
    if (done.chainId !== chainId || done.genesisHash !== genesisHash) return 'foreign';
    if (done.from !== from || done.to !== to || block > followed() + MAX_AHEAD) return 'foreign';
    const hash = await hashOf(block);
    if (hash !== undefined && hash !== blockHash) return 'foreign';
    const pair = { own: to, other: from };
    if (!(await shared.isShared(contract, pair))) return 'stranger';
    await store.hear({ ...pair, contract, block, notice: body, heardAtMs: clock.now() });
    const { storageRoot: before } = done.before;
    const { storageRoot: after } = done.after;
    const about = { party: from, node: signer, contract, block, before, after };
    logger.warn('a party has replaced its state of a contract by that of another party', about);
    return 'taken';
  }

  /** @returns false when it is to be told later */
  private async tell(repair: RepairSummary, other: PtmKey): Promise<boolean> {
    const { chainId, genesisHash, nodeKey, manager, hashOf, logger } = this.parts;
    const { contract, own, request, block } = repair;
    const blockHash = await hashOf(block);
    if (blockHash === undefined) return false;
    const subject = { chainId, genesisHash, contract, from: own, to: other, request, block, blockHash };
    const states = { before: stateIn(repair.stateBefore), after: stateIn(repair.stateAfter) };
    const body = await signRepairDone({ ...subject, ...states }, nodeKey);
    const taken = await manager.sendMessage({ from: own, to: other, kind: REPAIR_KINDS.done, body });
    if (taken.kind === 'unknown' || (taken.kind === 'done' && taken.value === 'full')) return false;
    if (taken.kind === 'done' && taken.value === 'accepted') return true;
    logger.warn('a party cannot be told of a repair: its manager carries no messages', { party: other });
    return true;
  }
}

/** An account as a row holds it. */
export function stateIn(bytes: Uint8Array): ContractState {
  return readState(new FixedFields(bytes));
}
