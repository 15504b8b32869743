import { OptionError } from '@tetrad/service';
import { OperatorError, type Address } from '@tetrad/types';

interface GenesisFile {
  config?: { transitions?: unknown };
}

/**
 * The genesis file with a transition that replaces the validators after a block. Everything else stays, so that the hash of block 0
 * does.
 *
 * @param text - the file as it is
 * @param block - the head of the chain
 * @throws OptionError, OperatorError
 */
export function genesisWithValidators(text: string, block: number, validators: readonly Address[]): string {
  if (new Set(validators).size !== validators.length)
    throw new OptionError('--validators', 'an address is named twice');
  const file = JSON.parse(text) as GenesisFile;
  const { transitions = [] } = file.config ?? {};
  if (!Array.isArray(transitions)) throw new OperatorError('config.transitions: is not a list');
  const isLater = (one: unknown) => Number((one as { block?: unknown } | null)?.block) > block;
  const at = transitions.findIndex(isLater);
  const place = at === -1 ? transitions.length : at;
  const all = [...transitions.slice(0, place), { block, validators }, ...transitions.slice(place)];
  return `${JSON.stringify({ ...file, config: { ...file.config, transitions: all } }, null, 2)}\n`;
}
