import { UsageError } from '@tetrad/devnet/usage-error';

export const COMPLETION_USAGE = `Prints what a shell completes commands and their options from; options are those that --help shows.

  bash    eval "$(./tetrad completion bash)", in ~/.bashrc
  zsh     eval "$(./tetrad completion zsh)", in ~/.zshrc
  fish    ./tetrad completion fish | source, in ~/.config/fish/config.fish`;

/** What each shell evaluates, of the commands of the launcher. */
const SHELLS: Readonly<Record<string, (names: readonly string[]) => string>> = {
  bash: bashCompletion,
  zsh: (names) => `${ZSH}${bashCompletion(names)}`,
  fish: fishCompletion,
};

const ZSH = 'autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n';

/**
 * `completion`: prints the text that a shell evaluates.
 *
 * @param names - the commands of the launcher
 * @returns the exit code
 * @throws UsageError when the shell is not named
 */
export function completion(args: readonly string[], names: readonly string[]): number {
  const [shell = '', ...others] = args;
  const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (write === undefined || others.length > 0)
    throw new UsageError('completion: takes bash, zsh or fish; see --help');
  process.stdout.write(write(names));
  return 0;
}

/**
 * A completion in bash. A question for help neither installs nor builds, and an interrupted one leaves the line as it is.
 *
 * @param names the commands of the launcher
 */
function bashCompletion(names: readonly string[]): string {
  return `_tetrad() {
  local current=\${COMP_WORDS[COMP_CWORD]} help words
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${names.join(' ')} --help --version' -- "$current"))
    return
  fi
  words=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  # Without the options given so far, which may lack their values.
  while [ "\${#words[@]}" -gt 2 ]; do unset "words[\${#words[@]}-1]"; done
  case "\${words[1]:-}" in -*) words=("\${words[0]}") ;; esac
  help=$("\${COMP_WORDS[0]}" "\${words[@]}" --help 2>/dev/null)
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$(printf '%s\\n' "$help" | grep -oE -- '--[a-z][a-z0-9-]*' | sort -u)" -- "$current")) ;;
    *)
      COMPREPLY=()
      if [ "$COMP_CWORD" -eq 2 ]; then
        COMPREPLY=($(compgen -W "$(printf '%s\\n' "$help" | sed -nE 's/^  ([a-z][a-z-]*)( .*)?$/\\1/p' | sort -u)" -- "$current"))
      fi
      ;;
  esac
}
complete -o default -F _tetrad tetrad ./tetrad
`;
}

/**
 * The same in fish, which offers what a function prints and chooses among it itself.
 *
 * @param names the commands of the launcher
 */
function fishCompletion(names: readonly string[]): string {
  return `function __tetrad_words
  set -l words (commandline -opc)
  if test (count $words) -eq 1
    string split ' ' -- '${names.join(' ')} --help --version'
    return
  end
  # Without the options given so far, which may lack their values.
  set -l asked $words[2]
  if test (count $words) -gt 2; and not string match -q -- '-*' $words[3]
    set -a asked $words[3]
  end
  if string match -q -- '-*' $asked[1]
    return
  end
  set -l help ($words[1] $asked --help 2>/dev/null)
  if string match -q -- '-*' (commandline -ct)
    string match -ra -- '--[a-z][a-z0-9-]*' $help | sort -u
  else if test (count $words) -eq 2
    string replace -rf -- '^  ([a-z][a-z-]*)( .*)?$' '$1' $help | sort -u
  end
end
complete -c tetrad -a '(__tetrad_words)'
`;
}
