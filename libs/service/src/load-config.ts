import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { CommandLine } from './command-line.js';
import { readConfigFile, type ConfigFileReader } from './config-file.js';
import {
  flagOf,
  kebabCase,
  variableOf,
  variablePrefix,
  type ConfigOf,
  type OptionTable,
} from './define-options.js';
import { nearest } from './nearest.js';
import { OptionError } from './startup-error.js';

/** The text of an option, and the name of its source for the operator. */
interface Written {
  readonly where: string;
  readonly texts: readonly string[];
  /** The configuration file, when it is from one. */
  readonly file?: string | undefined;
}

/**
 * The configuration of a service: flag, else environment variable, else configuration file, else default.
 * @throws OptionError that names the flag, variable or key; StartupError when a file cannot be read
 */
export function loadConfig<const Table extends OptionTable>(input: {
  readonly service: string;
  readonly options: Table;
  /** Options of other commands of the program: their variables and keys in the file are accepted, and not read. */
  readonly otherOptions?: OptionTable | undefined;
  readonly commandLine: CommandLine;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Reader for configuration files of another kind than TOML. */
  readonly readConfigFile?: ConfigFileReader | undefined;
}): ConfigOf<Table> {
  const { service, options, commandLine, environment } = input;
  const read = input.readConfigFile ?? readConfigFile;
  const known = { ...input.otherOptions, ...options };
  refuseUnknownVariables(service, known, environment);
  const configFile = commandLine.configFile ?? environment[variableOf(service, 'configFile')];
  const file = configFile === undefined ? undefined : read(resolve(configFile), known);

  const find = (key: string) =>
    findWritten(key, options, { service, commandLine, environment, file, configFile });
  demandRequired(service, options, find);
  const config: Record<string, unknown> = {};
  for (const [key, definition] of Object.entries(options)) {
    const written = find(key);
    if (written?.file !== undefined && definition.type.isPath === true)
      refuseBesideFile(written, written.file);
    config[key] = written === undefined ? definition.default : valueOf(written, definition.type);
    if (commandLine.values.has(key) && definition.isSecret?.(config[key]) === true) {
      throw new OptionError(
        flagOf(key),
        'holds a secret, and flags can be read by every user of the host; use the configuration file',
      );
    }
  }
  return config as ConfigOf<Table>;
}

/**
 * Warnings about the files that options name, such as one with a secret that others may read.
 *
 * @param options the table of the configuration
 * @param config the values, as they were parsed
 * @returns lines for the operator
 */
export function cautionsOf(
  options: OptionTable,
  config: Readonly<Record<string, unknown>>,
): readonly string[] {
  return Object.entries(options).flatMap(([key, { type }]) => {
    const value = config[key];
    const caution = value === undefined ? undefined : type.caution?.(value);
    return caution === undefined ? [] : [`${flagOf(key)}: ${caution}`];
  });
}

function demandRequired(
  service: string,
  options: OptionTable,
  find: (key: string) => Written | undefined,
): void {
  const missing = Object.keys(options).filter(
    (key) => options[key]?.required === true && find(key) === undefined,
  );
  if (missing.length === 0) return;
  const named = missing.map((key) => `${flagOf(key)} (or ${variableOf(service, key)})`);
  throw new OptionError('Missing required option(s)', named.join(', '));
}

function findWritten(
  key: string,
  options: OptionTable,
  from: {
    service: string;
    commandLine: CommandLine;
    environment: Readonly<Record<string, string | undefined>>;
    file: ReadonlyMap<string, readonly string[]> | undefined;
    configFile: string | undefined;
  },
): Written | undefined {
  const flags = from.commandLine.values.get(key);
  if (flags !== undefined) return { where: flagOf(key), texts: flags };
  for (const name of variablesOf(from.service, key, options)) {
    const variable = from.environment[name];
    if (variable !== undefined) return { where: name, texts: [variable] };
  }
  const texts = from.file?.get(key);
  if (texts === undefined) return undefined;
  return { where: `${kebabCase(key)} in ${from.configFile}`, texts, file: from.configFile };
}

/**
 * A relative path is against the folder in which the program is started. One that exists beside the configuration file alone
 * is meant otherwise: a service would start with an empty data folder elsewhere.
 */
function refuseBesideFile({ where, texts }: Written, file: string): void {
  for (const path of texts.flatMap((text) => text.split(',')).map((text) => text.trim())) {
    const beside = join(dirname(resolve(file)), path);
    if (path === '' || isAbsolute(path) || existsSync(resolve(path)) || !existsSync(beside)) continue;
    throw new OptionError(
      where,
      `a relative path is against the folder in which the program is started, and ${resolve(path)} does not exist, ` +
        `but ${beside} does: start the program in ${dirname(beside)}, or write the whole path`,
    );
  }
}

function valueOf({ where, texts }: Written, type: OptionTable[string]['type']): unknown {
  try {
    const value =
      type.toml === 'list' ? texts.flatMap((text) => type.parse(text)) : type.parse(texts[0] ?? '');
    return type.resolve === undefined ? value : type.resolve(value, where);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new OptionError(where, `${error.message}, not ${JSON.stringify(texts.join(',').slice(0, 80))}`);
  }
}

/** The variable of the key, then those of its other names. */
function variablesOf(service: string, key: string, options: OptionTable): string[] {
  const aliases = options[key]?.aliases ?? [];
  const prefix = variablePrefix(service);
  return [
    variableOf(service, key),
    ...aliases.map((name) => `${prefix}${name.replaceAll('-', '_').toUpperCase()}`),
  ];
}

/** A misspelt variable would otherwise silently leave the default in effect. */
function refuseUnknownVariables(
  service: string,
  options: OptionTable,
  environment: Readonly<Record<string, string | undefined>>,
): void {
  const known = [...Object.keys(options), 'configFile'].flatMap((key) => variablesOf(service, key, options));
  for (const name of Object.keys(environment)) {
    if (name.startsWith(variablePrefix(service)) && !known.includes(name)) {
      throw new OptionError(name, `unknown variable${nearest(name, known)}`);
    }
  }
}
