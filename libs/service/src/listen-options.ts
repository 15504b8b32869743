import { option, type OptionDefinition } from './define-options.js';
import { portOption, textOption, type OptionType } from './option-types.js';

/** What is said of an address to listen on, and of the port there. */
export interface ListenTexts<Port extends number | undefined> {
  readonly host: string;
  readonly port: string;
  /** Undefined: nothing listens unless the option is given. */
  readonly defaultPort: Port;
}

type Described = Pick<OptionDefinition, 'description' | 'group'>;

/** Rows of an option table: `peer` has `--peer-listen-host` and `--peer-listen-port`. */
export type ListenOptions<Prefix extends string, Port extends number | undefined> = {
  readonly [Key in `${Prefix}ListenHost`]: Described & {
    readonly type: OptionType<string>;
    readonly default: string;
  };
} & {
  readonly [Key in `${Prefix}ListenPort`]: Described & {
    readonly type: OptionType<number>;
  } & (Port extends number ? { readonly default: number } : unknown);
};

/** The options of one thing that listens, on loopback unless another address is given. */
export function listenOptions<const Prefix extends string, const Port extends number | undefined>(
  prefix: Prefix,
  group: string,
  { host, port, defaultPort }: ListenTexts<Port>,
): ListenOptions<Prefix, Port> {
  const withDefault = defaultPort === undefined ? {} : { default: defaultPort };
  return {
    [`${prefix}ListenHost`]: option(textOption('HOST'), { group, description: host, default: '127.0.0.1' }),
    [`${prefix}ListenPort`]: option(portOption(), { group, description: port, ...withDefault }),
  } as ListenOptions<Prefix, Port>;
}
