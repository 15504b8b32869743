import { BFT_KEYS } from './consensus-config.js';
import { foldKeys, isRecord, type JsonObject } from './folded-keys.js';
import { accountSchema, configSchema, genesisSchema } from './genesis-schema.js';
import { TRANSITION_KEYS } from './transitions.js';

/** A file under Tetrad's rules, with keys in the spelling that this library knows. */
export interface TetradFile {
  readonly json: JsonObject;
  /** One line for each key of `config` that is not read. */
  readonly warnings: readonly string[];
}

const FILE_KEYS = Object.keys(genesisSchema.shape).filter((key) => key !== 'mixhash');
const CONFIG_KEYS = Object.keys(configSchema.shape);
const ACCOUNT_KEYS = Object.keys(accountSchema.shape);
/** Keys of `config` of other clients that have no meaning on a chain of validators; ignored without a warning. */
const SILENT_KEYS = [
  'eip150Hash',
  'muirGlacierBlock',
  'arrowGlacierBlock',
  'grayGlacierBlock',
  'mergeNetsplitBlock',
  'ethash',
  'terminalTotalDifficulty',
  'terminalTotalDifficultyPassed',
  'blobSchedule',
  'isMPS',
].map((key) => key.toLowerCase());

/**
 * Reads keys without regard to case, as geth and Besu do, so that a file makes one chain everywhere; null is absent. Keys that are
 * not known stay, for the schema to refuse where it is strict.
 *
 * @param json the whole file
 * @throws GenesisError where two keys differ in case only
 */
export function foldTetradFile(json: JsonObject): TetradFile {
  const file = fold(json, FILE_KEYS, '');
  const { alloc } = file;
  if (isRecord(alloc)) {
    const accounts = Object.entries(alloc).map(([address, account]) => [
      address,
      foldAny(account, ACCOUNT_KEYS, `alloc.${address}.`),
    ]);
    file['alloc'] = Object.fromEntries(accounts);
  }
  if (!isRecord(file['config'])) return { json: file, warnings: [] };
  const config = fold(file['config'], CONFIG_KEYS, 'config.');
  for (const name of ['istanbul', 'ibft', 'qbft'])
    if (name in config) config[name] = foldAny(config[name], BFT_KEYS, `config.${name}.`);
  if (Array.isArray(config['transitions']))
    config['transitions'] = config['transitions'].map((one: unknown, index) =>
      foldAny(one, TRANSITION_KEYS, `config.transitions.${index}.`),
    );
  const ignored = Object.keys(config).filter(
    (key) => !CONFIG_KEYS.includes(key) && !SILENT_KEYS.includes(key.toLowerCase()),
  );
  return {
    json: { ...file, config },
    warnings: ignored.map((key) => `config.${key} is unknown and ignored`),
  };
}

function foldAny(value: unknown, names: readonly string[], path: string): unknown {
  return isRecord(value) ? fold(value, names, path) : value;
}

function fold(object: JsonObject, names: readonly string[], path: string): Record<string, unknown> {
  const { known, unknown } = foldKeys(object, names, path);
  return { ...known, ...Object.fromEntries(unknown.map((key) => [key, object[key]])) };
}
