import {
  booleanOption,
  databaseUrlOption,
  defineOptions,
  durationOption,
  integerOption,
  listOption,
  option,
  pathOption,
  secretPathOption,
  secretFileOption,
  urlOption,
  type ConfigOf,
  type OptionType,
} from '@tetrad/service';
import { isAddress, parseAddress, type Address } from '@tetrad/types';

const PLACES = 'Places';
const KEYS = 'Keys';

export function addressOption(): OptionType<Address> {
  return {
    placeholder: 'ADDRESS',
    toml: 'string',
    format: (address) => address,
    parse(text) {
      if (!isAddress(text)) throw new RangeError('must be an address: 0x and 40 hex digits');
      return parseAddress(text);
    },
  };
}

/** The contract: what every command needs. */
export const chainOptions = defineOptions({
  endpointsFile: option(pathOption(), {
    group: PLACES,
    description:
      'File that ./tetrad up --endpoints-file wrote: its node, contract and operator are used where options and variables name none.',
  }),
  chainUrl: option(urlOption('http', 'https'), {
    group: PLACES,
    description: 'JSON-RPC of an Ethereum client.',
    default: new URL('http://127.0.0.1:22000'),
  }),
  contract: option(addressOption(), {
    group: PLACES,
    description: 'The rollup contract on its chain.',
    required: true,
  }),
  fromBlock: option(integerOption({ min: 0, max: Number.MAX_SAFE_INTEGER }), {
    group: PLACES,
    description: 'Block in which the contract was created, or an earlier one.',
    default: 0,
  }),
});

export const operatorOptions = defineOptions({
  operatorUrl: option(urlOption('http', 'https'), {
    group: PLACES,
    description: 'JSON-RPC of the rollup operator.',
    default: new URL('http://127.0.0.1:6010'),
  }),
  operatorTokenFile: option(secretPathOption(), {
    group: PLACES,
    description:
      'File with the token for the operator, where it requires one; read again when it has changed.',
  }),
});

export const keyOptions = defineOptions({
  keyFile: option(secretPathOption(), {
    group: KEYS,
    description: 'Encrypted key file of the account: from account new, or of an Ethereum account.',
    required: true,
  }),
  passwordFile: option(secretFileOption(), {
    group: KEYS,
    description: 'File whose first line is the password of the key file.',
    required: true,
  }),
});

/** Who pays the gas of a command that sends transactions. */
export const payerOptions = defineOptions({
  payerKeyFile: option(secretPathOption(), {
    group: KEYS,
    description:
      'Encrypted key file of the Ethereum account that sends the transactions and pays their gas; default: that of the key file.',
  }),
  payerPasswordFile: option(secretFileOption(), {
    group: KEYS,
    description: 'File whose first line is the password of the key file of the payer.',
  }),
});

/** Of commands that sign operations. */
export const accountOptions = defineOptions({
  ...chainOptions,
  ...operatorOptions,
  ...keyOptions,
  journalFile: option(pathOption(), {
    group: KEYS,
    description:
      'Journal of operations that are signed and not yet answered; default: the name of the key file followed by .journal.',
  }),
});

export const waitOptions = defineOptions({
  wait: option(booleanOption(), {
    description: 'Wait until the operation is final on the chain; fails when it is rejected.',
    default: false,
  }),
  timeout: option(durationOption({ min: 1_000 }), { description: 'How long it waits.', default: 600_000 }),
});

/** Of commands that ask about what is in doubt. */
export const sureOptions = defineOptions({
  yes: option(booleanOption(), {
    description:
      'Do also what is in doubt: a payment of more than the account holds, to itself or to the zero address; a contract with unusual terms; leaving or auditing one that is not verified. Without it the command asks at a terminal, and fails elsewhere.',
    default: false,
  }),
});

export const tokenOptions = defineOptions({
  token: option(integerOption({ min: 0, max: 255 }), {
    description: 'Id of the token in the rollup; 0 is ether.',
    default: 0,
  }),
});

/** Of commands that take tokens out of a rollup. */
export const onlyOptions = defineOptions({
  only: option(listOption(integerOption({ min: 0, max: 255 })), {
    description: 'Ids of the tokens in the rollup that are taken out, 0 for ether; default: all.',
  }),
});

export const jsonOptions = defineOptions({
  json: option(booleanOption(), {
    description: 'One JSON object per line; amounts are decimal strings, in units of the rollup.',
    default: false,
  }),
});

/** The rows of an operator, to compare with. */
export const storeOptions = defineOptions({
  databaseUrl: option(databaseUrlOption(), {
    group: 'Database',
    description:
      'The database of the operator, to compare as well. Must not contain a password when given as a flag.',
    isSecret: (url) => url.password !== undefined,
  }),
  databasePasswordFile: option(secretFileOption(), {
    group: 'Database',
    description: 'Password of the database user.',
  }),
});

/** All that variables and the configuration file may say, whichever command it is for. */
export const allOptions = defineOptions({
  ...accountOptions,
  ...payerOptions,
  ...waitOptions,
  ...tokenOptions,
  ...sureOptions,
  ...jsonOptions,
  ...storeOptions,
});

export type AccountConfig = ConfigOf<typeof accountOptions>;
export type ChainConfig = ConfigOf<typeof chainOptions>;
export type KeyConfig = ConfigOf<typeof keyOptions>;
export type PayerConfig = ConfigOf<typeof payerOptions>;
