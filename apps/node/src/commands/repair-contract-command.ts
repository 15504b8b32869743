import { contractRepairMethods, type RepairProgressView } from '@tetrad/api-node';
import {
  booleanOption,
  defineOptions,
  durationOption,
  listOption,
  option,
  textOption,
  type ConfigOf,
} from '@tetrad/service';
import { OperatorError, pause, systemClock } from '@tetrad/types';
import { addressOption } from '../options/address-option.js';
import { ptmKeyOption } from '../options/ptm-key-option.js';
import { askNode, askedNodeOptions } from './ask-node.js';

const REPAIR = 'Repair';

const nodeOf = askedNodeOptions('JSON-RPC of a node that opens the namespace admin.');

export const repairOptions = defineOptions({
  ...nodeOf,
  contract: option(addressOption(), {
    group: REPAIR,
    description: 'Private contract whose state is replaced.',
    required: true,
  }),
  from: option(ptmKeyOption(), {
    group: REPAIR,
    description: 'Transaction manager key of the party whose state is taken.',
    required: true,
  }),
  agreeWith: option(listOption(ptmKeyOption()), {
    group: REPAIR,
    description:
      'Keys of parties that must all state the same. Without it, most of the parties that the node knows must, and two at least.',
  }),
  acceptOne: option(booleanOption(), {
    group: REPAIR,
    description: 'Believe the party alone, as where no other has the contract.',
    default: false,
  }),
  reason: option(textOption('TEXT'), {
    group: REPAIR,
    description: 'Why, in your words; it is kept with the repair.',
    required: true,
  }),
  wait: option(durationOption({ min: 1_000, max: 600_000 }), {
    group: REPAIR,
    description: 'Time that each step may take.',
    default: 60_000,
  }),
});

export const allowRepairOptions = defineOptions({
  ...nodeOf,
  contract: option(addressOption(), {
    group: REPAIR,
    description: 'Private contract that the party may have as a whole.',
    required: true,
  }),
  to: option(ptmKeyOption(), {
    group: REPAIR,
    description: 'Transaction manager key of the party that repairs its own.',
    required: true,
  }),
  allowFor: option(durationOption({ min: 0, max: 7 * 86_400_000 }), {
    group: REPAIR,
    description: 'For how long; 0 takes it back.',
    default: 3_600_000,
  }),
});

const BOUNDS = { timeoutMs: 60_000, maxAnswerBytes: 1_000_000 };
const LOOK_MS = 500;

/**
 * Has a node replace its state of a contract, and waits for that.
 * @returns a line for the operator
 * @throws OperatorError when it is refused or fails: nothing has changed then
 */
export async function repairContract(config: ConfigOf<typeof repairOptions>): Promise<string> {
  const { contract, from, agreeWith, acceptOne, reason, wait } = config;
  const order = {
    contract,
    from,
    acceptOne,
    reason,
    wait: Math.ceil(wait / 1_000),
    ...(agreeWith !== undefined && { agreeWith: [...agreeWith] }),
  };
  const done = await askNode(contractRepairMethods, config, BOUNDS, async (client) => {
    let progress: RepairProgressView | null = await client.call('admin_repairContract', [order]);
    while (progress !== null && progress.phase !== 'written' && progress.phase !== 'failed') {
      await pause(systemClock, LOOK_MS);
      progress = await client.call('admin_getContractRepair', []);
    }
    return progress;
  });
  if (done?.phase !== 'written')
    throw new OperatorError(
      `contract ${contract} is as it was: ${done?.failure ?? 'the node was restarted; repair it again'}`,
    );
  return `contract ${contract} has the state of party ${from} since the end of block ${done.blockNumber}; privacy_listRepairs has what it had before`;
}

/**
 * Allows a party a whole contract.
 * @returns a line for the operator
 * @throws OperatorError
 */
export async function allowRepair(config: ConfigOf<typeof allowRepairOptions>): Promise<string> {
  const { contract, to, allowFor } = config;
  const seconds = Math.ceil(allowFor / 1_000);
  await askNode(contractRepairMethods, config, BOUNDS, (client) =>
    client.call('admin_allowContractRepair', [contract, to, seconds]),
  );
  if (seconds === 0) return `party ${to} may not have contract ${contract} as a whole any more`;
  return `party ${to} may have contract ${contract} as a whole for ${seconds} seconds`;
}
