import { isRecord, type JsonObject } from './folded-keys.js';
import { GenesisError } from './genesis-error.js';
import { configSchema } from './genesis-schema.js';

const CONFIG_KEYS = Object.keys(configSchema.shape);
/** Keys of `config` of other clients that have no meaning on a chain of validators; ignored without a warning. */
const SILENT_KEYS = [
  ...['eip150Hash', 'muirGlacierBlock', 'arrowGlacierBlock', 'grayGlacierBlock', 'mergeNetsplitBlock'],
  ...['ethash', 'terminalTotalDifficulty', 'terminalTotalDifficultyPassed', 'blobSchedule'],
  ...['isMPS'],
];

/**
 * Finds keys of `config` that are not read.
 *
 * Out:   a warning for each of them
 * Fails: GenesisError on one that is a known key but for its case: a misspelt fork would never activate
 */
export function checkTetradFile(json: JsonObject): readonly string[] {
  const { config } = json;
  if (!isRecord(config)) return [];
  return Object.keys(config)
    .filter((key) => !CONFIG_KEYS.includes(key) && !SILENT_KEYS.includes(key))
    .map((key) => {
      const meant = CONFIG_KEYS.find((known) => known.toLowerCase() === key.toLowerCase());
      if (meant !== undefined)
        throw new GenesisError(
          `genesis config.${key}: unknown key, ${meant} is meant; with "rules": "goquorum" case does not matter`,
        );
      return `config.${key} is unknown and ignored`;
    });
}
