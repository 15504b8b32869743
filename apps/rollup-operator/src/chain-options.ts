import {
  defineOptions,
  durationOption,
  fileOptions,
  integerOption,
  listOption,
  option,
  pathOption,
  secretPathOption,
  urlOption,
  type ConfigOf,
} from '@tetrad/service';

const CHAIN = 'Chain';
const BATCHES = 'Batches';

/** The Ethereum client, and the account that pays for what is sent to it: what the batcher and `deploy` need. */
export const chainOptions = defineOptions({
  chainUrl: option(urlOption('http', 'https'), {
    group: CHAIN,
    description: 'JSON-RPC of any Ethereum client of the chain; required by the role batcher.',
  }),
  chainTokenFile: option(secretPathOption(), {
    group: CHAIN,
    description: 'File with a bearer token for the Ethereum client; read again when it changes.',
  }),
  chainRequestTimeout: option(durationOption({ min: 100 }), {
    group: CHAIN,
    description: 'Time limit for an answer of the Ethereum client.',
    default: 30_000,
  }),
  ...fileOptions('submitter', CHAIN, {
    KeyFile:
      'Key file (version 3) of the Ethereum account that submits batches, the operator of the contract, or the TOML file of its key in an HSM or key service; needed by the role batcher.',
    PasswordFile: 'File whose first line is the password of the key file (version 3).',
  }),
});

/** How batches come about. */
export const batchOptions = defineOptions({
  contractBlock: option(integerOption({ min: 0, max: Number.MAX_SAFE_INTEGER }), {
    group: CHAIN,
    description:
      'Block in which the contract was created, or an earlier one; its events are read from there.',
    default: 0,
  }),
  blocksToFinalization: option(integerOption({ min: 0, max: 100_000 }), {
    group: CHAIN,
    description: 'Confirmations after which a block counts as final.',
    default: 1,
  }),
  ...fileOptions('operator', CHAIN, {
    KeyFile:
      'Key file of the operator key, of the command new-key: with it batches of others are read, and those that a restored database lacks; needed by the role batcher.',
    KeyPasswordFile: 'File whose first line is the password of that file.',
  }),
  formerOperatorKeyFiles: option(listOption(secretPathOption()), {
    group: CHAIN,
    description:
      'Key files of operator keys before the present one, with the same password: accounts that were made with them, and payments to these, stay readable.',
    default: [] as readonly string[],
  }),
  batchInterval: option(durationOption({ min: 0 }), {
    group: BATCHES,
    description: 'Time after which a batch is sealed although it is not full.',
    default: 5_000,
  }),
  submissionBumpAfter: option(durationOption({ min: 1_000 }), {
    group: BATCHES,
    description: 'Time after which the gas price of a submission that is not mined is raised.',
    default: 60_000,
  }),
  maxGasPriceGwei: option(integerOption({ min: 1, max: 1_000_000 }), {
    group: BATCHES,
    description: 'Maximum gas price of a submission, in gwei.',
    default: 500,
  }),
  keepBatches: option(integerOption({ min: 16, max: Number.MAX_SAFE_INTEGER }), {
    group: BATCHES,
    description:
      'Final batches whose history of accounts and trees is kept; older history is pruned. Default: all.',
  }),
  proverThreads: option(integerOption({ min: 1, max: 256 }), {
    group: BATCHES,
    description: 'Threads of one proof; by default one per processor.',
  }),
  pointsDir: option(pathOption('DIR'), {
    group: BATCHES,
    description:
      'Folder of the proving points that fetch-points wrote, for batches of more than two operations. Default: the points that ship.',
  }),
});

export type ChainConfig = ConfigOf<typeof chainOptions>;
