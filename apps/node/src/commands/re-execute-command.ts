import {
  ManagerPayloads,
  everHasPrivacyFlags,
  missedBlocks,
  type MissedBlocks,
  waitWhileMoving,
} from '@tetrad/node-private-state';
import { UnexecutedRows } from '@tetrad/node-store';
import {
  OptionError,
  booleanOption,
  codecOption,
  defineOptions,
  option,
  type ConfigOf,
  type ServiceEnvironment,
} from '@tetrad/service';
import { ManagerClient } from '@tetrad/transaction-manager-client';
import { OperatorError, type Hash } from '@tetrad/types';
import { z } from 'zod';
import { nodeOptions } from '../options/config.js';
import { openDatabase } from '../open/database.js';
import { OpenModules } from '../open/node-module.js';
import { openChain, type OpenChain } from '../open/open-chain.js';
import { readPermissionConfig } from '../permissions/read-permission-config.js';
import { readGenesis } from '../open/read-genesis.js';
import { managerSettings } from '../options/manager-options.js';
import { openPrivacy } from '../privacy/open-privacy.js';

/** Private state that has not moved for this long is stuck. */
const STANDSTILL_MS = 60_000;

/** A block number, or the word for the first block that needs it. */
const firstBlock: z.ZodType<number | 'auto', string> = z.codec(
  z.string().regex(/^(?:\d{1,16}|auto)$/),
  z.union([z.number().max(Number.MAX_SAFE_INTEGER), z.literal('auto')]),
  { decode: (text) => (text === 'auto' ? text : Number(text)), encode: String },
);

export const reExecuteOptions = defineOptions({
  ...nodeOptions,
  from: option(
    codecOption(firstBlock, { placeholder: 'BLOCK|auto', rule: 'must be a block number or auto' }),
    {
      group: 'Private transactions',
      description:
        'First block to execute again, or auto for the first that needs it. Without it the blocks that need it are named, and nothing is changed.',
    },
  ),
  keepRepairs: option(booleanOption(), {
    group: 'Private transactions',
    description:
      'Execute again across blocks at whose ends contracts were repaired: each contract becomes there again what it was repaired to. Without it such blocks are refused.',
    default: false,
  }),
  execute: option(booleanOption(), {
    group: 'Private transactions',
    description:
      'Execute before the command ends. Without it private state is set back alone, and the node executes at its next start while it serves public data.',
    default: true,
  }),
});

type ReExecuteConfig = ConfigOf<typeof reExecuteOptions>;

/**
 * Brings private state right from a block on, or from the first that needs it, after the manager has got payloads back that
 * it did not have; or names the blocks that need it. The chain stays as it is.
 *
 * @returns a line of JSON for the operator
 * @throws OptionError, OperatorError
 */
export async function reExecutePrivate(
  config: ReExecuteConfig,
  environment: ServiceEnvironment,
): Promise<string> {
  if (config.ptmUrl === undefined)
    throw new OptionError('--ptm-url', 'is required: private state comes from payloads of a manager');
  const { from } = config;
  if (typeof from === 'number') return JSON.stringify(await execute(config, environment, from));
  const named = await nameBlocks(config, environment);
  if (from === undefined || named.from === null) return JSON.stringify(named);
  return JSON.stringify({ ...named, ...(await execute(config, environment, named.from)) });
}

interface NamedBlocks extends Pick<MissedBlocks, 'count' | 'blocks'> {
  /** The first one; null without one. */
  readonly from: number | null;
}

/** Asks the manager for the payload of each private transaction that was not executed; the node may be running. */
async function nameBlocks(config: ReExecuteConfig, { logger }: ServiceEnvironment): Promise<NamedBlocks> {
  const genesis = await readGenesis(config);
  const settings = managerSettings(config, logger);
  if (settings === undefined) throw new TypeError('no manager is configured');
  const opened = await openDatabase(config, logger);
  const manager = new ManagerClient(settings);
  try {
    const payloads = new ManagerPayloads(manager, { needsPrivacyFlags: everHasPrivacyFlags(genesis) });
    const {
      from = null,
      count,
      blocks,
    } = await missedBlocks({
      payloads,
      chainId: genesis.chainId,
      rows: new UnexecutedRows(opened.database.pool),
    });
    return { from, count, blocks };
  } finally {
    await manager.close();
    await opened.close();
  }
}

async function execute(
  config: ReExecuteConfig,
  environment: ServiceEnvironment,
  from: number,
): Promise<object> {
  const genesis = await readGenesis(config);
  const modules = new OpenModules();
  try {
    const permissionConfig = await readPermissionConfig(config, environment.logger);
    const chain = await modules.open(openChain(config, environment, genesis, permissionConfig));
    await refuseRepairs(chain, config, from);
    await setBack(chain, from);
    environment.logger.info('private state set back', { from });
    if (!config.execute) return { from, executed: false };
    return { from, ...(await bringToHead(config, environment, { chain, modules })) };
  } finally {
    await modules.close();
  }
}

/** @throws OptionError where a contract was repaired at the end of one of the blocks, unless that is wanted */
async function refuseRepairs(
  { store: { repairs } }: OpenChain,
  { keepRepairs }: ReExecuteConfig,
  from: number,
): Promise<void> {
  const first = (await repairs.listBlocks()).find((block) => block >= from);
  if (first === undefined || keepRepairs) return;
  throw new OptionError(
    '--from',
    `a contract was repaired at the end of block ${first}, which its transactions do not lead to; ` +
      'with --keep-repairs it becomes there again what it was repaired to',
  );
}

/** @throws OptionError for a block that was not executed yet, or whose state is not kept */
async function setBack({ ledger, store: { privateState } }: OpenChain, from: number): Promise<void> {
  const head = (await privateState.findHead())?.number ?? -1;
  if (from > head) throw new OptionError('--from', `private state is at block ${head} only`);
  const { oldestStored } = ledger.horizon;
  if (oldestStored > 0 && from <= oldestStored)
    throw new OptionError(
      '--from',
      `this node keeps the states of blocks from ${oldestStored} on (--state-history), and the first that it can execute ` +
        `again is ${oldestStored + 1}: use a database with complete history`,
    );
  const last = from === 0 ? undefined : await ledger.findBlock(from - 1);
  if (from > 0 && last === undefined) throw new OperatorError(`block ${from - 1} is not stored`);
  await privateState.setBack(last && { number: from - 1, hash: last.hash });
}

async function bringToHead(
  config: ReExecuteConfig,
  environment: ServiceEnvironment,
  { chain, modules }: { readonly chain: OpenChain; readonly modules: OpenModules },
): Promise<{ readonly block: number; readonly privateStateRoot: Hash }> {
  const { own } = await modules.open(openPrivacy(config, environment, chain));
  if (own === undefined) throw new TypeError('no manager is configured');
  const { number } = chain.ledger.head().header;
  const arrival = await waitWhileMoving(own.follower, number, STANDSTILL_MS);
  if (arrival.kind === 'followed') return { block: number, privateStateRoot: await own.view.rootAt(number) };
  const reason = arrival.kind === 'paused' ? arrival.reason : `was not executed in ${STANDSTILL_MS} ms`;
  throw new OperatorError(
    `private state is set back, and stands before block ${arrival.blockNumber}: ${reason}. The node goes on there.`,
  );
}
