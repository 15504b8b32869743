import { BFT_KEYS } from './consensus-config.js';
import { foldKeys, isRecord, type JsonObject } from './folded-keys.js';
import { LATER_FORK_KEYS } from './forks.js';
import { GenesisError } from './genesis-error.js';
import { TETRAD_KEYS, configSchema, genesisSchema } from './genesis-schema.js';
import { describeLostRewards } from './reward-account.js';
import { TRANSITION_KEYS } from './transitions.js';

/** A file as GoQuorum reads it, with keys in the spelling that this library knows. */
export interface GoQuorumFile {
  readonly json: JsonObject;
  /** One line for each key that has no effect in GoQuorum either. */
  readonly warnings: readonly string[];
}

const FILE_KEYS = Object.keys(genesisSchema.shape).filter((key) => key !== 'mixhash');
const CONFIG_KEYS = Object.keys(configSchema.shape).filter(
  (key) => !LATER_FORK_KEYS.includes(key) && !TETRAD_KEYS.includes(key),
);
/** Keys of forks that change nothing here, and notes of other tools; ignored without a warning. */
const SILENT_KEYS = ['eip150hash', 'muirglacierblock', 'ismps', 'daoforksupport'];
const ACCOUNT_KEYS = ['balance', 'nonce', 'code', 'storage'];
const SILENT_ACCOUNT_KEYS = ['secretkey', 'comment', 'privatekey'];

/** The old section has an epoch under another name, and took its times from the command line. */
const ISTANBUL_KEYS = [
  'epoch',
  'policy',
  'ceil2Nby3Block',
  'testQBFTBlock',
  'blockperiodseconds',
  'requesttimeoutseconds',
];
const QBFT_KEYS = BFT_KEYS.filter(
  (key) => !['epoch', 'testQBFTBlock', 'xblockperiodmilliseconds'].includes(key),
);
const IBFT_KEYS = [
  'epochlength',
  'blockperiodseconds',
  'emptyblockperiodseconds',
  'requesttimeoutseconds',
  'policy',
  'ceil2Nby3Block',
  'validatorcontractaddress',
];

const FIRST_TRANSITION_KEYS = TRANSITION_KEYS.filter((key) => key !== 'xblockperiodmilliseconds');
/** GoQuorum reads validators from the first transition only (`GetValidatorsAt` in its consensus/istanbul/config.go). */
const LATER_TRANSITION_KEYS = FIRST_TRANSITION_KEYS.filter((key) => key !== 'validators');

/** Keys of GoQuorum that would change blocks or their producers in ways that this node does not implement. */
const REFUSED_KEYS = ['clique', 'daoForkBlock', 'yoloV3Block', 'ewasmBlock', 'catalystBlock'];

/**
 * Reads keys as Go does, without regard to case, and leaves out what is null or has no meaning for GoQuorum.
 * @throws GenesisError naming a duplicate key, or one of REFUSED_KEYS
 */
export function foldGoQuorumFile(json: JsonObject): GoQuorumFile {
  const warnings: string[] = [];
  const fold = (value: unknown, names: readonly string[], path: string, silent: readonly string[] = []) => {
    if (!isRecord(value)) return value;
    const { known, unknown } = foldKeys(value, names, path);
    for (const key of unknown) {
      if (value[key] !== null && !silent.includes(key.toLowerCase()))
        warnings.push(`${path}${key} is ignored, as in GoQuorum`);
    }
    return known;
  };
  const file = fold(json, FILE_KEYS, '') as Record<string, unknown>;
  refuseForeign(file['config']);
  const config = fold(file['config'], CONFIG_KEYS, 'config.', [
    ...SILENT_KEYS,
    ...REFUSED_KEYS.map((key) => key.toLowerCase()),
  ]);
  if (isRecord(config)) {
    file['config'] = foldConfig(config, fold);
    warnings.push(...completeSelection(file['config'] as Record<string, unknown>));
    warnings.push(...describeLostRewards(file['config'] as JsonObject));
  }
  if (isRecord(file['alloc'])) {
    file['alloc'] = mapValues(file['alloc'], (account, address) =>
      readAccount(fold(account, ACCOUNT_KEYS, `alloc.${address}.`, SILENT_ACCOUNT_KEYS), address),
    );
  }
  if (file['gasLimit'] === undefined || isZero(file['gasLimit'])) file['gasLimit'] = GENESIS_GAS_LIMIT;
  return { json: file, warnings };
}

/** Gas limit of block 0 where the file gives 0 or none. GoQuorum raised geth's 4,712,388 (params/protocol_params.go). */
const GENESIS_GAS_LIMIT = 800_000_000;

type Fold = (value: unknown, names: readonly string[], path: string) => unknown;

function foldConfig(config: JsonObject, fold: Fold): JsonObject {
  const folded: Record<string, unknown> = { ...config };
  for (const [section, names] of [
    ['istanbul', ISTANBUL_KEYS],
    ['ibft', IBFT_KEYS],
    ['qbft', QBFT_KEYS],
  ] as const) {
    if (section in folded) folded[section] = fold(folded[section], names, `config.${section}.`);
  }
  for (const [list, namesAt] of [
    ['transitions', (index: number) => (index === 0 ? FIRST_TRANSITION_KEYS : LATER_TRANSITION_KEYS)],
    ['maxCodeSizeConfig', () => ['block', 'size']],
  ] as const) {
    const items = folded[list];
    if (Array.isArray(items)) {
      folded[list] = items.map((item: unknown, index) =>
        fold(item, namesAt(index), `config.${list}.${index}.`),
      );
    }
  }
  return folded;
}

/**
 * A contract counts with the mode `contract` only, and a section without a mode is one of votes; a later transition
 * may still set the mode.
 * @returns a warning for each contract that is not used
 */
function completeSelection(config: Record<string, unknown>): string[] {
  return ['istanbul', 'ibft', 'qbft'].flatMap((name) => {
    const section = config[name];
    if (!isRecord(section) || section['validatorselectionmode']) return [];
    const contract = section['validatorcontractaddress'];
    if (contract === undefined || isZero(contract)) return [];
    config[name] = { ...section, validatorselectionmode: 'blockheader' };
    const mode = 'validatorselectionmode "contract"';
    return [`config.${name}.validatorcontractaddress has no effect without ${mode}, as in GoQuorum`];
  });
}

function refuseForeign(config: unknown): void {
  if (!isRecord(config)) return;
  const { known } = foldKeys(config, [...REFUSED_KEYS, 'eip155Block', 'eip158Block'], 'config.');
  const foreign = REFUSED_KEYS.find((key) => known[key] !== undefined);
  if (foreign !== undefined) throw new GenesisError(`genesis config.${foreign}: not supported`);
  const { eip155Block, eip158Block } = known;
  if (eip155Block !== undefined && eip158Block !== undefined && eip155Block !== eip158Block)
    throw new GenesisError('genesis config.eip155Block: must be that of eip158Block');
}

/** GoQuorum requires a balance; otherwise an account with a misspelt key would silently have none. */
function readAccount(account: unknown, address: string): unknown {
  if (isRecord(account) && account['balance'] === undefined)
    throw new GenesisError(`genesis alloc.${address}.balance: missing`);
  return account;
}

function mapValues(object: JsonObject, map: (value: unknown, key: string) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
}

function isZero(value: unknown): boolean {
  return value === 0 || (typeof value === 'string' && /^(0x)?0+$/.test(value));
}
