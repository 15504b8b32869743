import type { OptionType } from './option-types.js';

/** One row of a service's option table. */
export interface OptionDefinition<T = unknown> {
  readonly type: OptionType<T>;
  /** One sentence; the help and the reference contain it. */
  readonly description: string;
  /** Heading in the help. */
  readonly group?: string;
  readonly default?: T;
  /** Stops the process when it is not given. */
  readonly required?: boolean;
  /** Other names under which users know it, as flags without their dashes; accepted everywhere, never shown. */
  readonly aliases?: readonly string[];
  /** Letter of the short flag: `l` for `-l`. */
  readonly short?: string;
  /** Unit of the value, where its type does not say it. */
  readonly unit?: string;
  /** Whether a value is a secret: it is then refused as a flag, which every user of the host can read. */
  isSecret?(value: T): boolean;
}

/** Key in camel case → option. The flag, the variable and the key of the file are derived from the key. */
export type OptionTable = Readonly<Record<string, OptionDefinition>>;

type ValueOf<Option> = Option extends { readonly type: OptionType<infer T> } ? T : never;

type IsAlwaysSet<Option> = Option extends { readonly required: true }
  ? true
  : Option extends { readonly default: unknown }
    ? true
    : false;

/** The configuration that `loadConfig` returns for a table: one field per key, undefined only without a default. */
export type ConfigOf<Table extends OptionTable> = {
  readonly [Key in keyof Table]: IsAlwaysSet<Table[Key]> extends true
    ? ValueOf<Table[Key]>
    : ValueOf<Table[Key]> | undefined;
};

/** Keeps the exact types of the rows, and refuses a key that is not plain camel case. */
export function defineOptions<const Table extends OptionTable>(table: Table): Table {
  for (const key of Object.keys(table)) {
    if (!/^[a-z][a-zA-Z0-9]*$/.test(key)) throw new TypeError(`option key ${key} is not in camel case`);
    if (reserved.has(key)) throw new TypeError(`option key ${key} is reserved`);
  }
  return table;
}

const reserved = new Set(['help', 'version', 'configFile']);

/** One option, with its default checked against its type. */
export function option<T, const Rest extends Omit<OptionDefinition<T>, 'type'>>(
  type: OptionType<T>,
  rest: Rest,
): Rest & { readonly type: OptionType<T> } {
  return { ...rest, type };
}

/** `httpListenPort` → `http-listen-port`: the flag without its dashes, and the key in the file. */
export function kebabCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export function flagOf(key: string): string {
  return `--${kebabCase(key)}`;
}

/** `TETRAD_NODE_HTTP_LISTEN_PORT` for key `httpListenPort` of service `node`. */
export function variableOf(service: string, key: string): string {
  return `${variablePrefix(service)}${kebabCase(key).replaceAll('-', '_').toUpperCase()}`;
}

/** Every kebab-case name of an option → its key. */
export function keysByName(table: OptionTable): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(table).flatMap(([key, { aliases = [] }]) =>
      [kebabCase(key), ...aliases].map((name) => [name, key] as const),
    ),
  );
}

export function variablePrefix(service: string): string {
  return `TETRAD_${service.replaceAll('-', '_').toUpperCase()}_`;
}
