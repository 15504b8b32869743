import { isIPv4, isIPv6 } from 'node:net';
import type { MemberAddress } from '@tetrad/node-consensus-raft';
import { EnodeError, parseEnode, type Enode } from '@tetrad/node-peer';
import { RequestError } from '@tetrad/types';

const EMPTY_HOST = /^enode:\/\/[0-9a-fA-F]+@(?::|\?|\/|$)/;
const IPV6_BYTES = 16;

/**
 * Reads the address of a node to add, with the checks and texts of GoQuorum (docs/spec/raft.md, "Membership").
 * @throws RequestError
 */
export function readMemberAddress(
  url: string,
  { takesHostNames }: { readonly takesHostNames: boolean },
): MemberAddress {
  const { nodeId, host, port, raftport } = readEnode(url);
  if (!takesHostNames && isIPv6(host))
    throw invalid(`expected IPv4 address (with length 4), but got IP of length ${IPV6_BYTES}`);
  if (!takesHostNames && !isIPv4(host)) throw invalid('raft must enable dns to use hostname');
  if (raftport === undefined) throw invalid(`enodeId is missing raftport querystring parameter: ${url}`);
  return { nodeId, hostname: host, p2pPort: port, raftPort: raftport };
}

function readEnode(url: string): Enode {
  try {
    if (EMPTY_HOST.test(url)) throw new EnodeError('empty hostname in raft url');
    return parseEnode(url);
  } catch (error) {
    if (error instanceof EnodeError) throw invalid(error.message);
    throw error;
  }
}

function invalid(message: string): RequestError {
  return new RequestError('INVALID_ENODE', message);
}
