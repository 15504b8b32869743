import { availableParallelism } from 'node:os';
import {
  booleanOption,
  choiceOption,
  databaseFolderOption,
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
  dataDir: databaseFolderOption('.tetrad/wallet', KEYS),
  network: option(choiceOption('main', 'test'), {
    group: KEYS,
    description: 'Network prefix of printed addresses: f (main) or t (test). Both are accepted.',
    default: 'main' as const,
  }),
});

/** What opens the keys. */
export const passphraseOptions = defineOptions({
  passphraseFile: option(secretFileOption(), {
    group: KEYS,
    description:
      'File whose first line is the passphrase of the wallet. The first passphrase given becomes the passphrase of the wallet.',
  }),
});

/** Keys that are not in the wallet. */
export const remoteKeyOptions = defineOptions({
  multikeySignerDirectory: option(pathOption('DIR'), {
    group: KEYS,
    description:
      'Directory of TOML signer files, one per key in an HSM or key service, named for the address: f1….toml, f410f….toml, or as those of the signer.',
  }),
});

/** What may be signed. */
export const policyOptions = defineOptions({
  allowBlindSign: option(booleanOption(), {
    group: SIGNING,
    description:
      'Allow WalletSign to sign the bytes of a chain message blindly; WalletSignMessage decodes what it signs.',
    default: false,
  }),
  requireMessageMeta: option(booleanOption(), {
    group: SIGNING,
    description: 'Refuse to sign a bare content id of a message; the message must be given in meta.',
    default: false,
  }),
  strictMessages: option(booleanOption(), {
    group: SIGNING,
    description: 'Enforce the rules for inclusion in a block on messages.',
    default: false,
  }),
  uncheckedMessages: option(booleanOption(), {
    group: SIGNING,
    description:
      "Sign messages as the coin network's own signers do: From may differ from the signing address, and amounts may be negative.",
    default: false,
  }),
  delegatedChainId: option(integerOption({ min: 1, max: Number.MAX_SAFE_INTEGER }), {
    group: SIGNING,
    description:
      'Chain id in the data that delegated keys sign; default: 314 on the main network, 314159 on the test network.',
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
  ...remoteKeyOptions,
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
export type RemoteKeysConfig = ConfigOf<typeof remoteKeyOptions>;
export type PolicyConfig = ConfigOf<typeof policyOptions>;
