import { availableParallelism } from 'node:os';
import {
  choiceOption,
  databaseFolderOption,
  defineOptions,
  integerOption,
  listOption,
  option,
  ownDatabaseOptions,
  serviceOptions,
  textOption,
  type ConfigOf,
} from '@tetrad/service';
import { acceptanceOptions } from './acceptance-options.js';
import { batchOptions, chainOptions } from './chain-options.js';
import { contractOption, pointOption } from './option-types.js';

const ROLLUP = 'Rollup';

const DEFAULT_PORT = 6010;
const DEFAULT_OPS_PORT = 6011;

/** Where the rows are: what every command needs. */
export const storageOptions = defineOptions({
  ...ownDatabaseOptions,
  dataDir: databaseFolderOption('.tetrad/rollup-operator'),
});

/** Which rollup it is. The database remembers the first one, and refuses another. */
export const identityOptions = defineOptions({
  chainId: option(integerOption({ min: 1, max: Number.MAX_SAFE_INTEGER }), {
    group: ROLLUP,
    description: 'Chain id of the chain with the rollup contract.',
    required: true,
  }),
  contract: option(contractOption(), {
    group: ROLLUP,
    description: 'Address of the rollup contract.',
    required: true,
  }),
  operatorKey: option(pointOption(), {
    group: ROLLUP,
    description: "Public encryption key of the operator, the second half of every account's joint key.",
    required: true,
  }),
  batchSize: option(integerOption({ min: 1, max: 4_096 }), {
    group: ROLLUP,
    description: 'Operations per batch: a size for which the contract has a verifier.',
    default: 2,
  }),
  batchSizes: option(listOption(integerOption({ min: 1, max: 4_096 })), {
    group: ROLLUP,
    description:
      'Sizes of batches, instead of --batch-size: each batch gets the smallest that holds what waits, and the largest while provers are behind. The contract has a verifier for each.',
  }),
});

export const operatorOptions = defineOptions({
  ...serviceOptions({ httpListenPort: DEFAULT_PORT, opsListenPort: DEFAULT_OPS_PORT }),
  ...storageOptions,
  ...identityOptions,
  ...chainOptions,
  ...batchOptions,
  ...acceptanceOptions,
  authJwtAccountsClaim: option(textOption('CLAIM'), {
    group: 'Access',
    description:
      'Claim that lists the ids of the accounts that a token is bound to: it reads and sends for those alone. A token without it is for every account.',
    default: 'accounts',
  }),
  roles: option(listOption(choiceOption('api', 'batcher', 'prover')), {
    group: ROLLUP,
    description:
      'Roles of this process: api answers calls and prover proves batches (any number of processes), batcher executes and submits them (one at a time is active).',
    default: ['api', 'batcher', 'prover'] as readonly Role[],
  }),
  checkWorkers: option(integerOption({ min: 0, max: 256 }), {
    group: ROLLUP,
    description: 'Threads that check signatures and ciphertexts; by default one per processor.',
    default: availableParallelism(),
  }),
  checkQueue: option(integerOption({ min: 1, max: 1_000_000 }), {
    group: ROLLUP,
    description: 'Maximum number of operations that wait to be checked; more are rejected.',
    default: 10_000,
  }),
});

export type Role = 'api' | 'batcher' | 'prover';

export type OperatorConfig = ConfigOf<typeof operatorOptions>;
export type StorageConfig = ConfigOf<typeof storageOptions>;
export type IdentityConfig = ConfigOf<typeof identityOptions>;
