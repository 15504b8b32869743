import { hostKey } from '@tetrad/types';
import type { Endpoint } from '../identity/enode.js';
import type { Acquaintance } from '../session/dial.js';
import type { Admit, MayEnter } from '../session/handshake-responder.js';
import type { Head } from '../wire/handshake-messages.js';
import type { Introduction } from '../wire/introduction.js';
import type { Rejection } from '../wire/rejection.js';
import type { Connections } from './connections.js';
import type { Liveness } from './liveness.js';
import { reachableEndpoint } from './reachable-endpoint.js';

/** Decides which nodes get a session, for both sides of a handshake. */
export class Admission {
  constructor(
    private readonly connections: Connections,
    private readonly liveness: Liveness,
    private readonly ownHead: () => Head,
  ) {}

  /** Checked before anything is computed for a hello. */
  readonly mayEnter: MayEnter = (introduction, remote) =>
    this.connections.rejectionOf(introduction.nodeId, this.endpointOf(introduction, remote), 'inbound');

  /** Once the other side proved its key. */
  readonly admit: Admit = async (acquaintance, remote) => {
    const { introduction, session } = acquaintance;
    const endpoint = this.endpointOf(introduction, remote);
    if (await this.isDuplicate(acquaintance, endpoint)) return { rejection: 'duplicate-key' };
    // Checked again, since the proof took a while.
    const rejection = this.mayEnter(introduction, remote);
    if (rejection !== undefined) return { rejection };
    const address = hostKey(remote.host);
    const entry = { isConfirmed: false, session, acquaintance, endpoint, address } as const;
    this.connections.sessions.expect(entry, this.connections.now());
    return { head: this.ownHead() };
  };

  /** Why a session that this node began is not used; undefined when it is. */
  async rejectionOfDialled(acquaintance: Acquaintance, endpoint: Endpoint): Promise<Rejection | undefined> {
    if (await this.isDuplicate(acquaintance, endpoint)) return 'duplicate-key';
    return this.connections.rejectionOf(acquaintance.introduction.nodeId, endpoint, 'outbound');
  }

  /**
   * Whether another process of the node is connected and still answers. One that was restarted does not: its new
   * process knows nothing of the old session.
   */
  private async isDuplicate({ session, introduction }: Acquaintance, endpoint: Endpoint): Promise<boolean> {
    const peer = this.connections.table.find(introduction.nodeId);
    if (peer?.connection === undefined || peer.connection.instance === session.instance) return false;
    const addresses = [peer.endpoint, endpoint];
    if (!(await this.liveness.ping(peer))) return false;
    this.connections.reportDuplicate(introduction.nodeId, addresses, false);
    return true;
  }

  private endpointOf(introduction: Introduction, remote: Endpoint): Endpoint {
    return this.connections.endpointOf(introduction.nodeId, reachableEndpoint(introduction, remote));
  }
}
