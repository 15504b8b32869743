import type { Executor, MayTransact, WorldState } from '@tetrad/node-execution';
import { LRUCache } from 'lru-cache';
import type { EnforcementSwitch } from '../config/enforcement-switch.js';
import type { PermissionAddresses } from '../config/permission-config.js';
import { ContractState, type AskedBlock } from '../contracts/contract-state.js';
import { ACCOUNT_BARRIER } from './barriers.js';
import { StateDecisions, type AskedTransaction } from './state-decisions.js';

/** States whose answers are kept: that of the head, and those of blocks that are being tried. */
const KEPT_STATES = 8;

export interface ContractPermissionParts {
  readonly executor: Pick<Executor, 'context'>;
  readonly addresses: PermissionAddresses;
  readonly isEnforced: EnforcementSwitch;
}

/**
 * The second model: the contracts decide about each transaction, in the state before its block, so that the order within a
 * block makes no difference and every node comes to the same answer (docs/adr/0086).
 */
export class ContractPermission {
  private readonly states = new LRUCache<string, StateDecisions>({ max: KEPT_STATES });

  constructor(private readonly parts: ContractPermissionParts) {}

  readonly mayTransact: MayTransact = async (transaction, { block, world }) => {
    if (!this.parts.isEnforced(block.number - 1)) return undefined;
    return (await this.decisionsFor(world, block).allows(transaction)) ? undefined : ACCOUNT_BARRIER;
  };

  /** Whether the contracts let the transaction into a block on top of the state. */
  allows(transaction: AskedTransaction, place: { readonly block: AskedBlock; readonly world: WorldState }) {
    return this.decisionsFor(place.world, place.block).decide(transaction);
  }

  private decisionsFor(world: WorldState, block: AskedBlock): StateDecisions {
    const key = `${world.root} ${block.number} ${block.timestamp}`;
    let found = this.states.get(key);
    if (found === undefined) {
      const { executor, addresses } = this.parts;
      found = new StateDecisions(new ContractState({ executor, addresses, world: world.base(), block }));
      this.states.set(key, found);
    }
    return found;
  }
}
