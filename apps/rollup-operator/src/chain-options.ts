import {
  defineOptions,
  durationOption,
  fileOptions,
  integerOption,
  option,
  urlOption,
  type ConfigOf,
} from '@tetrad/service';

const CHAIN = 'Chain';
const BATCHES = 'Batches';

/** The Ethereum client, and the account that pays for what is sent to it: what the batcher and `deploy` need. */
export const chainOptions = defineOptions({
  chainUrl: option(urlOption('http', 'https'), {
    group: CHAIN,
    description: 'JSON-RPC of any Ethereum client of the chain; needed by the role batcher.',
  }),
  chainRequestTimeout: option(durationOption({ min: 100 }), {
    group: CHAIN,
    description: 'Longest wait for an answer of the Ethereum client.',
    default: 30_000,
  }),
  ...fileOptions('submitter', CHAIN, {
    KeyFile:
      'Key file (version 3) of the Ethereum account that submits batches, the operator of the contract; needed by the role batcher.',
    PasswordFile: 'File whose first line is the password of the key file.',
  }),
});

/** How batches come about. */
export const batchOptions = defineOptions({
  contractBlock: option(integerOption({ min: 0, max: Number.MAX_SAFE_INTEGER }), {
    group: CHAIN,
    description: 'Block in which the contract was created, or any before it: where its events begin.',
    default: 0,
  }),
  blocksToFinalization: option(integerOption({ min: 0, max: 100_000 }), {
    group: CHAIN,
    description: 'Successors that a block needs before what is in it counts as final.',
    default: 1,
  }),
  ...fileOptions('operator', CHAIN, {
    KeyFile:
      'Key file of the operator key, of the command new-key: with it batches are read that are on the chain and not in the database, as after a restore.',
    KeyPasswordFile: 'File whose first line is the password of that file.',
  }),
  batchInterval: option(durationOption({ min: 0 }), {
    group: BATCHES,
    description: 'How long a batch that is not full waits for more.',
    default: 5_000,
  }),
  submissionBumpAfter: option(durationOption({ min: 1_000 }), {
    group: BATCHES,
    description: 'After how long a submission that nobody mines offers more for gas.',
    default: 60_000,
  }),
  maxGasPriceGwei: option(integerOption({ min: 1, max: 1_000_000 }), {
    group: BATCHES,
    description: 'Most that a submission offers for gas, in gwei.',
    default: 500,
  }),
  keepBatches: option(integerOption({ min: 16, max: Number.MAX_SAFE_INTEGER }), {
    group: BATCHES,
    description:
      'Final batches of which accounts and trees are kept as they were; what earlier ones replaced is deleted. By default all.',
  }),
  proverThreads: option(integerOption({ min: 1, max: 256 }), {
    group: BATCHES,
    description: 'Threads of one proof; by default one per processor.',
  }),
});

export type ChainConfig = ConfigOf<typeof chainOptions>;
export type BatchConfig = ConfigOf<typeof batchOptions>;
