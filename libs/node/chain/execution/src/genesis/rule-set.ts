import { FIRST_LATER_FORK, LATER_FORK_KEYS } from './forks.js';
import { GenesisError } from './genesis-error.js';
import { isRecord, memberOf } from './folded-keys.js';

/**
 * The rules by which a genesis file is read: Tetrad's, which are the current ones of Ethereum, or those of GoQuorum
 * networks, which end with Berlin (docs/adr/0075).
 */
export const RULE_SETS = ['tetrad', 'goquorum'] as const;
export type RuleSet = (typeof RULE_SETS)[number];

/** Keys that only files for GoQuorum have; a file with one of them and a later fork is ambiguous. */
const GOQUORUM_KEYS = ['isQuorum', 'txnSizeLimit', 'maxCodeSizeConfig', 'istanbul'];

/**
 * The rules for a file: those of the option or `config.rules`, else GoQuorum's for a file with `isQuorum: true`.
 * @param asked - by option
 * @throws GenesisError when option and file contradict each other, and when neither sets the rules for a file from
 *   which GoQuorum and Tetrad would make different chains
 */
export function chooseRules(config: unknown, asked?: RuleSet): RuleSet {
  const said = isRecord(config) ? readRules(memberOf(config, 'rules')) : undefined;
  if (said !== undefined && asked !== undefined && said !== asked) {
    throw new GenesisError(`genesis config.rules: ${said} contradicts the option --genesis-rules ${asked}`);
  }
  const decided = asked ?? said;
  if (decided !== undefined || !isRecord(config)) return decided ?? 'tetrad';
  const isQuorum = memberOf(config, 'isQuorum') === true;
  const doubtful = doubtfulFork(config, isQuorum);
  if (doubtful === undefined) return isQuorum ? 'goquorum' : 'tetrad';
  throw new GenesisError(
    `genesis config.${doubtful}: GoQuorum ignores it and Tetrad follows it; say which rules hold, ` +
      'with "rules": "goquorum" or "tetrad" in config, or with --genesis-rules',
  );
}

function readRules(value: unknown): RuleSet | undefined {
  if (value === undefined || value === null) return undefined;
  const known = RULE_SETS.find((name) => name === value);
  if (known === undefined) throw new GenesisError('genesis config.rules: must be "tetrad" or "goquorum"');
  return known;
}

/**
 * The first fork key that one of the two clients ignores, in a file that could be for either. Published files for
 * GoQuorum have `londonBlock` beside `isQuorum`, but none has a key of a later fork.
 */
function doubtfulFork(config: Readonly<Record<string, unknown>>, isQuorum: boolean): string | undefined {
  const forGoQuorum = GOQUORUM_KEYS.some((key) => (memberOf(config, key) ?? false) !== false);
  if (!forGoQuorum) return undefined;
  const doubtful = LATER_FORK_KEYS.filter((key) => !isQuorum || key !== FIRST_LATER_FORK);
  return doubtful.find((key) => (memberOf(config, key) ?? undefined) !== undefined);
}
