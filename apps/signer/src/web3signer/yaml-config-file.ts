import { existsSync } from 'node:fs';
import {
  OptionError,
  StartupError,
  configValues,
  readTextFile,
  type ConfigFileReader,
} from '@tetrad/service';
import { parseDocument } from 'yaml';
import type { Web3signerWords } from './web3signer-words.js';

/** Texts of web3signer, commandline: YamlConfigFileDefaultProvider. */
const TEXTS = {
  notFound: 'Unable to read yaml configuration. File not found',
  invalid: 'Unable to read yaml configuration. Invalid yaml file',
  empty: 'Empty yaml configuration file',
  unexpected: 'Unexpected yaml content',
  unknown: 'Unknown option(s) in yaml configuration file',
};

/** Options of other commands, which the same file may contain. */
const OF_OTHER_COMMANDS = /^(?:eth2|filecoin)\./;

/**
 * Reads a configuration file of web3signer: options under their names, those of the command behind `eth1.`.
 * @throws StartupError when the file cannot be read; OptionError in web3signer's words
 */
export function yamlConfigFile(words: Web3signerWords): ConfigFileReader {
  return (path, table) => {
    const entries = flatten(parseYaml(path)).filter(([name]) => !OF_OTHER_COMMANDS.test(name));
    const translated = entries.flatMap(([given, value]): [string, unknown][] => {
      const name = given.replace(/^eth1\./, '').replaceAll('.', '-');
      const text = Array.isArray(value) ? value.join(',') : String(value);
      const option = words.translateOption(name, text, `${given} in ${path}`);
      if (option === undefined) return [];
      return [[option.name, option.name === name ? value : option.value]];
    });
    return configValues(translated, table, { path, unknown: TEXTS.unknown });
  };
}

/** Values by full option name; the parts of a name may be joined by dots or nested. */
function flatten(mapping: object, before = ''): [string, unknown][] {
  return Object.entries(mapping).flatMap(([key, value]: [string, unknown]): [string, unknown][] => {
    const name = `${before}${key}`;
    // An option without a value is one that is not given.
    if (value === null) return [];
    return isMapping(value) ? flatten(value, `${name}.`) : [[name, value]];
  });
}

function isMapping(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseYaml(path: string): object {
  if (!existsSync(path)) throw new StartupError(`${TEXTS.notFound}: ${path}`);
  const value = valueOf(readTextFile(path, '--config-file'), path);
  if (value === null || value === undefined) throw new OptionError(TEXTS.empty, path);
  if (!isMapping(value)) throw new OptionError(TEXTS.unexpected, path);
  if (Object.keys(value).length === 0) throw new OptionError(TEXTS.empty, path);
  return value;
}

function valueOf(text: string, path: string): unknown {
  // Scalars stay text: each option knows best what kind it is of.
  const document = parseDocument(text, { schema: 'failsafe', customTags: ['null'], prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) {
    const line = text.slice(0, error.pos[0]).split('\n').length;
    throw new OptionError(TEXTS.invalid, `${path}, line ${line}`);
  }
  try {
    return document.toJS();
  } catch (problem) {
    // An alias that names nothing, or too many of them.
    if (problem instanceof ReferenceError)
      throw new OptionError(TEXTS.invalid, `${path}: ${problem.message}`);
    throw problem;
  }
}
