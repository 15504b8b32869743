import { flagOf, type OptionTable } from '@tetrad/service';

/** Whether a flag, written as it is, stands alone unless `true` or `false` follows. */
export type IsSwitch = (flag: string) => boolean;

/** The switches of a table, and those that every program has. */
export function switchesOf(table: OptionTable): IsSwitch {
  const flags = new Set(['--help', '-h', '--version', '-V']);
  for (const [key, { type, aliases = [], short }] of Object.entries(table)) {
    if (type.toml !== 'boolean') continue;
    for (const flag of [flagOf(key), ...aliases.map((name) => `--${name}`)]) flags.add(flag);
    if (short !== undefined) flags.add(`-${short}`);
  }
  return (flag) => flags.has(flag);
}

/** A flag with its value, or a word that belongs to no flag. */
export interface CommandPiece {
  /** Where it begins. */
  readonly at: number;
  /** As it is written, dashes included; undefined for a word. */
  readonly flag: string | undefined;
  readonly value: string | undefined;
  /** All that was written of it. */
  readonly words: readonly string[];
}

/** Cuts a command line into pieces, so that the value of a flag is never taken for a command. */
export function piecesOf(argv: readonly string[], isSwitch: IsSwitch): readonly CommandPiece[] {
  const pieces: CommandPiece[] = [];
  for (let at = 0; at < argv.length; at += pieces.at(-1)?.words.length ?? 1) {
    pieces.push(pieceAt(argv, at, isSwitch));
  }
  return pieces;
}

function pieceAt(argv: readonly string[], at: number, isSwitch: IsSwitch): CommandPiece {
  const [word = '', next] = argv.slice(at, at + 2);
  if (!word.startsWith('-')) return { at, flag: undefined, value: word, words: [word] };
  const equals = word.indexOf('=');
  if (equals !== -1) return { at, flag: word.slice(0, equals), value: word.slice(equals + 1), words: [word] };
  const hasValue = isSwitch(word) ? next === 'true' || next === 'false' : next !== undefined;
  return hasValue
    ? { at, flag: word, value: next, words: argv.slice(at, at + 2) }
    : { at, flag: word, value: undefined, words: [word] };
}

/** The first piece that is a word of its own. */
export function firstWord(argv: readonly string[], isSwitch: IsSwitch): CommandPiece | undefined {
  return piecesOf(argv, isSwitch).find(({ flag }) => flag === undefined);
}
