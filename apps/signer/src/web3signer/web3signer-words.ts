import { OptionError, keysByName, variableOf, type OptionTable } from '@tetrad/service';
import { firstWord, piecesOf, switchesOf, type CommandPiece, type IsSwitch } from '../command-pieces.js';
import { foreignOption, isForeignSwitch } from './foreign-option.js';

/** The command of web3signer in whose place the signer stands. */
const COMMAND = 'eth1';

/** Its other ones. */
const OTHER_COMMANDS: Readonly<Record<string, string>> = {
  eth2: 'keys of validators are not supported, only eth1',
  filecoin: 'is not this service; see tetrad wallet',
};

const VARIABLES = 'WEB3SIGNER_';
const COMMAND_VARIABLES = `${VARIABLES}ETH1_`;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the command line and the variables of web3signer's eth1 mode. */
export class Web3signerWords {
  /** Options that were given and change nothing, as they were written. */
  readonly withoutEffect: string[] = [];
  private readonly isSwitch: IsSwitch;
  private readonly ownNames: ReadonlySet<string>;

  constructor(table: OptionTable) {
    const isOwnSwitch = switchesOf(table);
    this.isSwitch = (flag) => isOwnSwitch(flag) || isForeignSwitch(flag);
    this.ownNames = new Set([...keysByName(table).keys(), 'config-file']);
  }

  /** Whether a command line is web3signer's, by its command. */
  areOf(argv: readonly string[]): boolean {
    const { value } = firstWord(argv, this.isSwitch) ?? {};
    return value === COMMAND || (value !== undefined && Object.hasOwn(OTHER_COMMANDS, value));
  }

  /**
   * Options before and after the command as ours.
   * @throws OptionError on what cannot be had here
   */
  translateArguments(argv: readonly string[]): readonly string[] {
    const [command, help] = piecesOf(argv, this.isSwitch).filter(({ flag }) => flag === undefined);
    const other = OTHER_COMMANDS[command?.value ?? ''];
    if (other !== undefined) throw new OptionError(command?.value ?? '', other);
    if (help?.value === 'help') return ['--help'];
    return piecesOf(argv, this.isSwitch).flatMap((piece) =>
      piece.at === command?.at ? [] : this.translatePiece(piece),
    );
  }

  /** Variables as ours; those that web3signer would not read are left out, as platforms set some by themselves. */
  translateEnvironment(environment: Environment): Environment {
    const names = Object.keys(environment).filter((name) => name.startsWith(VARIABLES));
    // Variables of the command take precedence over those of the program.
    names.sort((a, b) => Number(a.startsWith(COMMAND_VARIABLES)) - Number(b.startsWith(COMMAND_VARIABLES)));
    const translated = names.flatMap((name) => this.translateVariable(name, environment[name] ?? ''));
    return { ...Object.fromEntries(translated), ...environment };
  }

  /**
   * One option under its name here.
   * @param where - how the operator wrote it
   * @returns undefined when it has no effect
   * @throws OptionError
   */
  translateOption(name: string, value: string, where: string): { name: string; value: string } | undefined {
    const foreign = this.ownNames.has(name) ? undefined : foreignOption(name, value);
    if (foreign === undefined) return { name, value };
    if (foreign.fate === 'refused') throw new OptionError(where, foreign.problem);
    if (foreign.fate === 'renamed') return { name: foreign.name, value: foreign.value };
    this.withoutEffect.push(where);
    return undefined;
  }

  private translatePiece({ flag, value, words }: CommandPiece): readonly string[] {
    if (flag === '-V') return ['--version'];
    if (flag === undefined || !flag.startsWith('--')) return words;
    const name = flag.slice(2);
    const option = this.translateOption(name, value ?? 'true', flag);
    if (option === undefined) return [];
    return option.name === name ? words : [`--${option.name}`, option.value];
  }

  private translateVariable(variable: string, value: string): [string, string][] {
    const suffix = variable.slice(
      (variable.startsWith(COMMAND_VARIABLES) ? COMMAND_VARIABLES : VARIABLES).length,
    );
    const name = suffix.replaceAll('_', '-').toLowerCase();
    const option = this.translateOption(name, value, variable);
    if (option === undefined) return [];
    if (this.ownNames.has(option.name)) return [[variableOf('signer', option.name), option.value]];
    this.withoutEffect.push(variable);
    return [];
  }
}
