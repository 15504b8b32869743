import { rebuildPublicState, type Rebuilt, type RollupContract } from '@tetrad/rollup-client';
import { encodeWord } from '@tetrad/rollup-crypto';
import { databaseUrlOf, defineOptions, integerOption, option, type ConfigOf } from '@tetrad/service';
import { hexFromBytes } from '@tetrad/types';
import { StoreComparison, withStore } from '../compare-store.js';
import { withContract } from '../open-account.js';
import { chainOptions, jsonOptions, storeOptions } from '../options.js';
import { jsonText } from '../record-text.js';
import { EXIT, defineCommand, type Terminal } from './define-command.js';

/** Batches between two lines of progress. */
const PROGRESS_BATCHES = 1_000;

const rebuildOptions = defineOptions({
  ...chainOptions,
  ...jsonOptions,
  confirmations: option(integerOption({ min: 0, max: 10_000 }), {
    description: 'Number of latest blocks to skip, because they may still be reorganized.',
    default: 0,
  }),
  pageBlocks: option(integerOption({ min: 1, max: 1_000_000 }), {
    description: 'Blocks requested at a time; fewer when the client rejects it.',
    default: 2_000,
  }),
  ...storeOptions,
});

type RebuildConfig = ConfigOf<typeof rebuildOptions>;

export const rebuildCommand = defineCommand({
  name: 'rebuild',
  usage: '--contract ADDRESS [options]',
  words: [0, 0],
  summary:
    'Rebuilds the public part of the state from the events of the contract, and compares it with the root of the contract and with a database of an operator.',
  options: rebuildOptions,
  run: ({ config, terminal }) =>
    withContract(config, async (contract) => {
      const url = databaseUrlOf(config);
      if (url === undefined) return report(await rebuild(contract, config, terminal), { config, terminal });
      return withStore(url, config.contract, async (store) => {
        const comparison = new StoreComparison(store);
        const rebuilt = await rebuild(contract, config, terminal, comparison);
        await comparison.leaves(rebuilt.roots);
        return report(rebuilt, { config, terminal, comparison });
      });
    }),
});

async function rebuild(
  contract: RollupContract,
  config: RebuildConfig,
  terminal: Terminal,
  comparison?: StoreComparison,
): Promise<Rebuilt> {
  const head = await contract.client.blockNumber();
  return rebuildPublicState(contract, {
    fromBlock: config.fromBlock,
    toBlock: Math.max(head - config.confirmations, 0),
    pageBlocks: config.pageBlocks,
    onBatch: async (batch, roots) => {
      const { height, blockNumber } = batch;
      if (height % PROGRESS_BATCHES === 0) terminal.warn(`batch ${height}, block ${blockNumber}`);
      await comparison?.batch(batch, roots);
    },
  });
}

function report(
  { roots, contract, isSame }: Rebuilt,
  to: { readonly config: RebuildConfig; readonly terminal: Terminal; readonly comparison?: StoreComparison },
): number {
  const { terminal, comparison } = to;
  const found = {
    height: roots.height,
    accounts: roots.accountCount,
    stateRoot: word(roots.root),
    accountRoot: word(roots.accountRoot),
    historyRoot: word(roots.historyRoot),
    contractHeight: contract.height,
    contractRoot: word(contract.stateRoot),
    isSame,
    ...(comparison === undefined ? {} : { isSameInStore: comparison.isSame }),
  };
  if (to.config.json) terminal.say(jsonText(found));
  else for (const [name, value] of Object.entries(found)) terminal.say(`${name.padEnd(15)} ${value}`);
  if (!isSame) terminal.warn('the state rebuilt from the events differs from the contract');
  for (const difference of comparison?.differences ?? []) terminal.warn(difference);
  return isSame && (comparison?.isSame ?? true) ? EXIT.done : EXIT.failed;
}

const word = (value: bigint) => hexFromBytes(encodeWord(value));
