import { defineOptions, option, pathOption, secretFileOption, secretPathOption } from '@tetrad/service';

const ACCOUNTS = 'Keys and accounts';

/** The keys of a node and of the accounts that it signs for. */
export const accountOptions = defineOptions({
  nodeKeyFile: option(secretPathOption(), {
    group: ACCOUNTS,
    description:
      'Node key: 64 hex digits, or the TOML file of a key in an HSM or key service, with its public key. Default: nodekey in the data folder, created when missing.',
  }),
  keystoreDir: option(pathOption('DIR'), {
    group: ACCOUNTS,
    description:
      'Folder of the accounts that eth_sendTransaction signs for: V3 key files, and TOML files of keys that sign in an HSM or key service.',
  }),
  keystorePasswordFile: option(secretFileOption(), {
    group: ACCOUNTS,
    description: 'File with the password of the V3 key files.',
  }),
});
