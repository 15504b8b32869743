import { parseAddress, parsePtmKey } from '@tetrad/types';
import { allowRepair, repairContract } from '../../../src/commands/repair-contract-command.js';
import type { RunningNode } from '../../running-node.js';

/** A node, and the key of its manager. */
export interface PartyNode {
  readonly node: RunningNode;
  readonly key: string;
}

/**
 * Has a party take the state of a contract from another one by the commands, as both operators would.
 * @returns what the command says
 */
export async function takeState(contract: string, taker: PartyNode, giver: PartyNode): Promise<string> {
  const at = ({ node }: PartyNode) => ({ rpcUrl: new URL(node.url), rpcTokenFile: undefined });
  const about = { contract: parseAddress(contract), reason: 'the parties differ', wait: 120_000 };
  await allowRepair({ ...at(giver), ...about, to: parsePtmKey(taker.key), allowFor: 3_600_000 });
  return repairContract({
    ...at(taker),
    ...about,
    from: parsePtmKey(giver.key),
    agreeWith: [],
    acceptOne: true,
  });
}
