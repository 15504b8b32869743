import type { KeyPair } from '@tetrad/node-store';
import type { PtmKey } from '@tetrad/types';

/** Parties of a payload as this node's manager knows them. */
export interface PayloadParties {
  /** Undefined where an old manager does not tell it. */
  readonly sender: PtmKey | undefined;
  /** Those of the parties that are keys of this node's manager. */
  readonly own: readonly PtmKey[];
  /** At the sender and with flag 3 all, otherwise the own keys. */
  readonly all: readonly PtmKey[];
  /** Whether each party knows all others, as with flag 3. */
  readonly areKnownToAll: boolean;
}

/**
 * The pairs of parties that state the result of a transaction to each other: both of a pair come to the same pairs. A recipient
 * knows the sender alone, unless all are known to all.
 */
export function pairsOf({ sender, own, all, areKnownToAll }: PayloadParties): KeyPair[] {
  const isOwn = (key: PtmKey) => own.includes(key);
  const others = [...new Set([...all, ...(sender === undefined ? [] : [sender])])].filter(
    (key) => !isOwn(key),
  );
  if (areKnownToAll) return own.flatMap((one) => others.map((other) => ({ own: one, other })));
  if (sender === undefined) return [];
  if (isOwn(sender)) return others.map((other) => ({ own: sender, other }));
  return own.map((one) => ({ own: one, other: sender }));
}

/** By which a pair is found in a map. */
export function pairName({ own, other }: KeyPair): string {
  return `${own} ${other}`;
}
