import type { IncomingHttpHeaders } from 'node:http';

/** Why a manager may lack payloads: its rows come from a backup, or it began empty and not all peers have been heard. */
export type Incompleteness = 'restored' | 'unchecked';

/**
 * Header of the answer of a manager that has resent what it has, and may have lost the rest: its state. Existing managers
 * ignore it and never send it.
 */
export const INCOMPLETE_HEADER = 'tetrad-incomplete';

/** What the answer of a manager says of it; undefined for one that is complete, or of the version before. */
export function readIncompleteness(headers: IncomingHttpHeaders): Incompleteness | undefined {
  const header = headers[INCOMPLETE_HEADER];
  if (header === undefined) return undefined;
  // Whatever a later version says, it is not that the manager is complete.
  return header === 'unchecked' ? 'unchecked' : 'restored';
}
