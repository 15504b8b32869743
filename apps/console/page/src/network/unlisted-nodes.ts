import { publicKeyToAddress } from 'viem/utils';

/** A node that others name, and the console's file does not. */
export interface UnlistedNode {
  readonly enode: string;
  /** Account of its node key. */
  readonly address: string;
  /** Names of the nodes whose peer it is. */
  readonly peerOf: readonly string[];
  readonly isPermitted: boolean;
}

/** Nodes that are looked through: a permission list may have many more. */
const MAX_LOOKED = 10_000;

const ENODE = /^enode:\/\/([0-9a-f]{128})@/i;

/**
 * Peers and permitted nodes that are not in the console's file, by the account of their keys.
 * @param listed - accounts of the nodes in the file
 * @param peers - enode URLs by the name of the node that has them
 */
export function unlistedNodes(
  listed: readonly string[],
  peers: readonly { readonly name: string; readonly enodes: readonly string[] }[],
  permitted: readonly string[],
): readonly UnlistedNode[] {
  const known = new Set(listed.map((address) => address.toLowerCase()));
  const found = new Map<string, { enode: string; address: string; peerOf: string[]; isPermitted: boolean }>();
  const note = (enode: string) => {
    const key = ENODE.exec(enode)?.[1];
    if (key === undefined) return undefined;
    const address = addressOfKey(key.toLowerCase());
    if (known.has(address)) return undefined;
    const one = found.get(address) ?? { enode, address, peerOf: [], isPermitted: false };
    found.set(address, one);
    return one;
  };
  for (const { name, enodes } of peers)
    for (const enode of enodes.slice(0, MAX_LOOKED)) note(enode)?.peerOf.push(name);
  for (const enode of permitted.slice(0, MAX_LOOKED)) {
    const one = note(enode);
    if (one !== undefined) one.isPermitted = true;
  }
  return [...found.values()];
}

/** Each is computed once: it takes longer than all the rest. */
const addresses = new Map<string, string>();

function addressOfKey(key: string): string {
  const known = addresses.get(key);
  if (known !== undefined) return known;
  if (addresses.size >= MAX_LOOKED) addresses.clear();
  const address = publicKeyToAddress(`0x04${key}`).toLowerCase();
  addresses.set(key, address);
  return address;
}
