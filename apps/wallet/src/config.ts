import { availableParallelism } from 'node:os';
import {
  booleanOption,
  choiceOption,
  defineOptions,
  integerOption,
  option,
  ownDatabaseOptions,
  pathOption,
  secretFileOption,
  serviceOptions,
  type ConfigOf,
} from '@tetrad/service';

const KEYS = 'Keys';
const SIGNING = 'Signing';

/** Port of the interface document; that of the metrics of the signers that users come from. */
const DEFAULT_PORT = 9000;
const DEFAULT_OPS_PORT = 9001;

/** Where the keys are: what every command needs. */
export const storageOptions = defineOptions({
  ...ownDatabaseOptions,
  dataDir: option(pathOption('DIR'), {
    group: KEYS,
    description: 'Folder of the embedded database, when no URL of one is given.',
    default: '.tetrad/wallet',
  }),
  network: option(choiceOption('main', 'test'), {
    group: KEYS,
    description: 'Letter of the addresses that are printed: f or t. Both are read.',
    default: 'main' as const,
  }),
});

/** What opens the keys. */
export const passphraseOptions = defineOptions({
  passphraseFile: option(secretFileOption(), {
    group: KEYS,
    description:
      'File whose first line is the passphrase of the wallet; the first one given is the one from then on.',
  }),
});

/** What may be signed. */
export const policyOptions = defineOptions({
  allowBlindSign: option(booleanOption(), {
    group: SIGNING,
    description:
      'Let WalletSign sign bytes that are a chain message, unseen; WalletSignMessage shows what it signs.',
    default: false,
  }),
  requireMessageMeta: option(booleanOption(), {
    group: SIGNING,
    description: 'Refuse to sign the bare content id of a message: the message must come with it, as meta.',
    default: false,
  }),
  strictMessages: option(booleanOption(), {
    group: SIGNING,
    description: 'Hold messages to the rules for inclusion in a block.',
    default: false,
  }),
  delegatedChainId: option(integerOption({ min: 1, max: Number.MAX_SAFE_INTEGER }), {
    group: SIGNING,
    description:
      'Chain id in what delegated keys sign; 314 on the main network and 314159 on the test network.',
  }),
});

/** The secret of the tokens that `auth create-token` makes. */
export const tokenOptions = defineOptions({
  authTokenSecretFile: option(secretFileOption(), {
    group: 'Access',
    description:
      'Secret of tokens with permissions (HS256): 64 hex digits, or the key-store entry auth-jwt-private of a coin-network node.',
  }),
});

export const walletOptions = defineOptions({
  ...serviceOptions({ httpListenPort: DEFAULT_PORT, opsListenPort: DEFAULT_OPS_PORT }),
  ...storageOptions,
  ...passphraseOptions,
  ...policyOptions,
  signingWorkers: option(integerOption({ min: 0, max: 256 }), {
    group: SIGNING,
    description: 'Threads for BLS signatures; by default one per processor.',
    default: availableParallelism(),
  }),
  ...tokenOptions,
});

export type WalletConfig = ConfigOf<typeof walletOptions>;
export type StorageConfig = ConfigOf<typeof storageOptions>;
export type PassphraseConfig = ConfigOf<typeof passphraseOptions>;
export type PolicyConfig = ConfigOf<typeof policyOptions>;
