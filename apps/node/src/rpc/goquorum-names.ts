import type { StructForm } from '@tetrad/node-simulation';
import type { NodeIdentity } from '../open/node-identity.js';

/**
 * Whether this node serves method names that only GoQuorum has. Clients that use them read some values in GoQuorum's form;
 * the methods themselves have the same names in both (docs/adr/0157).
 */
export function hasNamesOfGoQuorum({ aliases }: Pick<NodeIdentity, 'aliases'>): boolean {
  return aliases.some(({ from }) => /quorum/i.test(from));
}

/** How the clients of this node read the steps of an execution. */
export function structFormOf(identity: Pick<NodeIdentity, 'aliases'>): StructForm {
  return hasNamesOfGoQuorum(identity) ? 'goquorum' : 'geth';
}
