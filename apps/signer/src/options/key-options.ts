import {
  booleanOption,
  choiceOption,
  defineOptions,
  durationOption,
  integerOption,
  option,
  pathOption,
  portOption,
  textOption,
} from '@tetrad/service';

import { cloudKeyOptions } from './cloud-key-options.js';

const KEYS = 'Keys';
const VAULT = 'Keys in HashiCorp Vault';

/** Defaults of EthSigner (docs/spec/signing-proxy.md#options). */
const VAULT_PORT = 8200;
const VAULT_TIMEOUT_MS = 10_000;
const VAULT_PATH = '/v1/secret/data/ethsignerSigningKey';

/** Bytes; web3signer reads ten times as much, in more memory than a signer should need. */
const CONFIG_FILE_BYTES = 10_485_760;
const MAX_CONFIG_FILE_BYTES = 104_857_600;

const HSM = 'Keys in an HSM (PKCS#11)';
const PKCS11_SESSIONS = 8;
const MAX_PKCS11_SESSIONS = 1_000;
const PKCS11_TIMEOUT_MS = 10_000;

/** Which token, and how it is used; also of the commands that make and check keys. */
export const pkcs11Options = defineOptions({
  pkcs11Library: option(pathOption(), {
    group: HSM,
    description: 'PKCS#11 library of the HSM’s vendor; turns this source on.',
  }),
  pkcs11TokenLabel: option(textOption('LABEL'), {
    group: HSM,
    description: 'Label of the token.',
  }),
  pkcs11Slot: option(integerOption({ min: 0, max: Number.MAX_SAFE_INTEGER }), {
    group: HSM,
    description: 'Number of its slot, for tokens without a label of their own.',
  }),
  pkcs11PinFile: option(pathOption(), {
    group: HSM,
    description:
      'File whose first line is the user PIN. A PIN that was refused is not tried again before the file changes.',
  }),
  pkcs11KeyLabel: option(textOption('LABEL'), {
    group: HSM,
    description: 'Label of the key (CKA_LABEL).',
  }),
  pkcs11KeyId: option(textOption('HEX'), {
    group: HSM,
    description: 'Id of the key (CKA_ID) in hex digits.',
  }),
  pkcs11Sessions: option(integerOption({ min: 1, max: MAX_PKCS11_SESSIONS }), {
    group: HSM,
    description: 'Signatures under way at most; each has a session.',
    default: PKCS11_SESSIONS,
  }),
  pkcs11Timeout: option(durationOption({ min: 1 }), {
    group: HSM,
    description: 'Time limit for a signature; a library that takes longer is started again.',
    default: PKCS11_TIMEOUT_MS,
  }),
});

/** Where signing keys come from; several sources may be given. */
export const keyOptions = defineOptions({
  keyFile: option(pathOption(), {
    group: KEYS,
    description: 'V3 key file of the signing account (file-based-signer).',
    aliases: ['file-based-signer-key-file'],
    short: 'k',
  }),
  passwordFile: option(pathOption(), {
    group: KEYS,
    description: 'File whose first line is its password.',
    aliases: ['file-based-signer-password-file'],
    short: 'p',
  }),
  multikeySignerDirectory: option(pathOption('DIR'), {
    group: KEYS,
    description: 'Directory of TOML signer files, one per account (multikey-signer).',
    short: 'd',
  }),
  keyConfigPath: option(pathOption('DIR'), {
    group: KEYS,
    description: 'Directory of YAML key configurations, one or more per file (as in web3signer).',
    aliases: ['key-store-path'],
  }),
  keyStoreConfigFileMaxSize: option(integerOption({ min: 1, max: MAX_CONFIG_FILE_BYTES }), {
    group: KEYS,
    description: 'Maximum size of a key configuration file.',
    unit: 'bytes',
    default: CONFIG_FILE_BYTES,
  }),
  keystoresPath: option(pathOption('DIR'), {
    group: KEYS,
    description: 'Directory of V3 key files whose names end with .json, loaded in parallel.',
  }),
  keystoresPasswordFile: option(pathOption(), {
    group: KEYS,
    description: 'File with the password of all of them.',
  }),
  keystoresPasswordsPath: option(pathOption('DIR'), {
    group: KEYS,
    description:
      'Directory with a password file for each of them, with the same name and the extension .txt.',
  }),
  rawSignerKeyFile: option(pathOption(), {
    group: KEYS,
    description: 'File with a private key in hex, for development only (raw-signer).',
  }),
  ...pkcs11Options,
  ...cloudKeyOptions,
  hashicorpSignerHost: option(textOption('HOST'), {
    group: VAULT,
    description: 'Host of the vault (hashicorp-signer).',
    default: 'localhost',
  }),
  hashicorpSignerPort: option(portOption(), {
    group: VAULT,
    description: 'Port of the vault.',
    default: VAULT_PORT,
  }),
  hashicorpSignerTimeout: option(durationOption({ min: 1 }), {
    group: VAULT,
    description: 'Time limit for an answer of the vault.',
    default: VAULT_TIMEOUT_MS,
  }),
  hashicorpSignerAuthFile: option(pathOption(), {
    group: VAULT,
    description: 'File with the token for the vault; turns this source on.',
  }),
  hashicorpSignerAuthMethod: option(choiceOption('token', 'approle', 'kubernetes', 'jwt'), {
    group: VAULT,
    description: 'How the token is got: from the file, or by a login; every login turns this source on.',
    default: 'token',
  }),
  hashicorpSignerAuthMount: option(textOption('PATH'), {
    group: VAULT,
    description: 'Path of the login below /v1/auth/; by default its name.',
  }),
  hashicorpSignerRole: option(textOption('NAME'), {
    group: VAULT,
    description: 'Role of a login by kubernetes or jwt.',
  }),
  hashicorpSignerRoleId: option(textOption('ID'), {
    group: VAULT,
    description: 'Role id of a login by approle.',
  }),
  hashicorpSignerSecretIdFile: option(pathOption(), {
    group: VAULT,
    description: 'File with the secret id of a login by approle.',
  }),
  hashicorpSignerJwtFile: option(pathOption(), {
    group: VAULT,
    description:
      'File with the token of the platform, for a login by kubernetes (by default that of the pod) or jwt.',
  }),
  hashicorpSignerNamespace: option(textOption('NAME'), {
    group: VAULT,
    description: 'Namespace of the vault (enterprise edition).',
  }),
  hashicorpSignerSigningKeyPath: option(textOption('PATH'), {
    group: VAULT,
    description: 'Path of the secret that holds the private key.',
    default: VAULT_PATH,
  }),
  hashicorpSignerTlsEnabled: option(booleanOption(), {
    group: VAULT,
    description: 'Use TLS for connections to the vault.',
    default: true,
  }),
  hashicorpSignerTlsKnownServerFile: option(pathOption(), {
    group: VAULT,
    description: 'Vaults trusted by fingerprint: host:port and SHA-256, one per line.',
  }),
});
