import {
  booleanOption,
  choiceOption,
  defineOptions,
  durationOption,
  integerOption,
  option,
  pathOption,
} from '@tetrad/service';
import type { RuleSet } from '@tetrad/node-execution';
import { checkpointOption } from './checkpoint-option.js';
import { historyOption } from './history-option.js';

const CHAIN = 'Chain';

/** Rule sets of the execution library, which is only loaded once the options are known to be valid. */
const RULE_SETS = ['tetrad', 'goquorum'] as const satisfies readonly RuleSet[];

/** The chain of a node: where it is kept, how it starts, and what of it is kept. */
export const chainOptions = defineOptions({
  dataDir: option(pathOption('DIR'), {
    group: CHAIN,
    description: 'Folder of the node: the embedded database, and by default the node key.',
    required: true,
  }),
  genesisFile: option(pathOption(), {
    group: CHAIN,
    description: 'genesis.json of the chain.',
    required: true,
  }),
  genesisRules: option(choiceOption(...RULE_SETS), {
    group: CHAIN,
    description:
      'Rules of a genesis file that does not name them itself (rules in its config); those of GoQuorum end with Berlin.',
  }),
  validator: option(booleanOption(), {
    group: CHAIN,
    description: 'Take part in consensus with the node key, whenever it is a validator.',
    default: true,
  }),
  blockPeriod: option(durationOption({ min: 10, max: 3_600_000 }), {
    group: CHAIN,
    description:
      'Time between blocks where the genesis file gives none, below its transitions; all nodes of the network need the same. Where the file gives one, and under raft, the time at which this node makes blocks; block timestamps have a resolution of one second.',
  }),
  requestTimeout: option(durationOption({ min: 10, max: 3_600_000 }), {
    group: CHAIN,
    description:
      'Time-out of the first consensus round where the genesis file gives none, below its transitions.',
  }),
  stateHistory: option(integerOption({ min: 1, max: 1_000_000_000 }), {
    group: CHAIN,
    description:
      'Keep the states of so many blocks before the newest, and remove older ones; blocks, receipts and logs stay. Default: keep all.',
    unit: 'blocks',
  }),
  addressIndex: option(booleanOption(), {
    group: CHAIN,
    description:
      'Keep an index of transactions by address, for ots_searchTransactionsBefore and others; it is filled in the background.',
    default: false,
  }),
  sync: option(choiceOption('auto', 'full', 'state'), {
    group: CHAIN,
    description:
      'How a database without blocks gets to the head: full executes every block; state takes the state of a recent block from peers, with proofs, and executes those after it; auto is state where static nodes are far ahead and nothing private can be lost by it, else full.',
    default: 'auto',
  }),
  syncStateBeyond: option(integerOption({ min: 1, max: 1_000_000_000 }), {
    group: CHAIN,
    description: 'With --sync auto, executing more blocks than that is too long.',
    unit: 'blocks',
    default: 100_000,
  }),
  checkpoint: option(checkpointOption(), {
    group: CHAIN,
    description:
      'A block of the chain, as other members know it: with --sync state, headers with another hash at this number are refused.',
  }),
  trustCheckpoint: option(booleanOption(), {
    group: CHAIN,
    description:
      'Verify seals of headers after the checkpoint only: those before are taken because they lead to it, and without their seals.',
    default: false,
  }),
  history: option(historyOption(), {
    group: CHAIN,
    description:
      'Blocks before the one that --sync state joined at whose transactions, receipts and logs are filled in from peers afterwards, newest first.',
    default: 'all',
  }),
  verify: option(booleanOption(), {
    group: CHAIN,
    description: 'Re-execute the whole stored chain, compare every commitment, report and exit.',
    default: false,
  }),
});
