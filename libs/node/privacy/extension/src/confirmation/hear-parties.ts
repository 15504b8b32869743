import { compareStated, stateDigest, type ContractState } from '@tetrad/node-agreement';
import type { ActiveExtension } from '@tetrad/node-store';
import { ZERO_HASH, type PtmKey } from '@tetrad/types';
import type { Confirmations } from './confirmations.js';

/** What a party's node says of a contract that is to be extended to this node. */
export interface HeardParty {
  readonly key: PtmKey;
  /** As the initiator's node says; `stated` where there is nothing to compare with, and by the initiator itself. */
  readonly answer: 'stated' | 'confirmed' | 'contradicted' | 'silent';
  /** Public key of the party's node; undefined for a silent one. */
  readonly node: string | undefined;
  readonly state: ContractState | undefined;
}

/**
 * @param row - of an extension of which this node is the recipient
 * @returns undefined when the node stops
 */
export async function hearParties(
  confirmations: Pick<Confirmations, 'ask'>,
  { contract, management, recipientKey }: ActiveExtension,
  at: {
    readonly initiatorKey: PtmKey;
    readonly knownParties: readonly PtmKey[];
    readonly block: number;
    readonly waitMs: number;
  },
): Promise<HeardParty[] | undefined> {
  const { initiatorKey, knownParties, block, waitMs } = at;
  const blocks = { firstBlock: block, lastBlock: block, wanted: ZERO_HASH };
  const about = { contract, management, recipientKey, initiatorKey, knownParties };
  const answers = await confirmations.ask({ ...about, ...blocks }, waitMs);
  if (answers === undefined) return undefined;
  const { parties, statements } = answers;
  const first = statements.get(initiatorKey)?.state;
  const stateOf = (key: PtmKey) => statements.get(key)?.state;
  const { confirmed } = compareStated(first === undefined ? ZERO_HASH : stateDigest(first), parties, stateOf);
  return parties.map((key) => {
    const statement = statements.get(key);
    if (statement === undefined) return { key, answer: 'silent', node: undefined, state: undefined };
    const { signer: node, state } = statement;
    if (first === undefined || key === initiatorKey) return { key, answer: 'stated', node, state };
    return { key, answer: confirmed.includes(key) ? 'confirmed' : 'contradicted', node, state };
  });
}
