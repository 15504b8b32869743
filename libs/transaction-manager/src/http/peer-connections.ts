import { ConnectionLimit } from '@tetrad/types';
import type { PeerHosts } from '../party/peer-hosts.js';
import { MAX_CONNECTIONS, type AdmitsConnection } from './http-server.js';

/** Connections to the peer port from one address at which no manager of `--peers` is; of IPv6, from one /64. */
const PER_ADDRESS = 64;

/** Connections from all such addresses: the others are for the managers of `--peers`. */
const STRANGERS = (MAX_CONNECTIONS * 3) / 4;

/**
 * Bounds connections to the peer port, so that no stranger takes those of others.
 * @param hosts - of the managers that the operator named
 */
export function peerConnections(
  hosts: Pick<PeerHosts, 'includes'>,
  perAddress = PER_ADDRESS,
): AdmitsConnection {
  const isKnownAddress = (key: string) => hosts.includes(key);
  const limit = new ConnectionLimit({ perAddress, strangers: STRANGERS, isKnownAddress });
  return (socket) => limit.admit(socket);
}
