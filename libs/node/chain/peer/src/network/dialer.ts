import { formatEndpoint } from '../identity/enode.js';
import type { Peer } from '../peers/peer.js';
import {
  HandshakeError,
  OwnKeyUnavailableError,
  dialHandshake,
  type HandshakePost,
} from '../session/dial.js';
import { PeerClient, PeerUnreachableError } from '../transport/peer-client.js';
import { PATHS, STATUS } from '../transport/protocol.js';
import { MAX_HANDSHAKE_BYTES } from '../wire/handshake-messages.js';
import { MAX_CLOCK_DIFFERENCE_MS } from '../session/introduce.js';
import type { Admission } from './admission.js';
import type { Connections } from './connections.js';

/** Dials under way at once. */
const CONCURRENT_DIALS = 16;
/** A node that is only known from peers is forgotten after this many failures in a row. */
const FORGET_AFTER = 6;

/** Connects to peers that should be connected and are not. */
export class Dialer {
  private dialling = 0;
  private isStopped = false;
  /** While this node cannot prove its own key, no peer is troubled with hellos. */
  private unsigned = { failures: 0, untilMs: 0 };

  constructor(
    private readonly connections: Connections,
    private readonly admission: Admission,
    private readonly onDialled: (peer: Peer) => void,
  ) {}

  /** Dials the peers that are due; returns at once. */
  tick(): void {
    const nowMs = this.connections.now();
    for (const peer of this.connections.table.all()) {
      peer.apply({ kind: 'tick', nowMs });
      if (peer.state.kind !== 'idle' || this.dialling >= CONCURRENT_DIALS) continue;
      if (nowMs < this.unsigned.untilMs) continue;
      if (!peer.isStatic && peer.state.failures >= FORGET_AFTER) {
        this.connections.table.remove(peer.nodeId);
      } else if (peer.isStatic || this.connections.table.hasRoom()) {
        void this.dial(peer);
      }
    }
  }

  stop(): void {
    this.isStopped = true;
  }

  private async dial(peer: Peer): Promise<void> {
    peer.apply({ kind: 'dialled' });
    this.dialling++;
    try {
      await this.connect(peer);
    } catch (error) {
      if (error instanceof OwnKeyUnavailableError) return this.pauseFor(peer);
      this.onFailure(peer, error);
      // The other side may have got through meanwhile.
      if (peer.state.kind === 'connecting') this.connections.fail(peer);
    } finally {
      this.dialling--;
    }
  }

  /** The fault is this node's: the peer stays as it is, and dials go on after a pause that grows. */
  private pauseFor(peer: Peer): void {
    const nowMs = this.connections.now();
    if (nowMs >= this.unsigned.untilMs) {
      const failures = this.unsigned.failures + 1;
      this.unsigned = { failures, untilMs: nowMs + this.connections.backOffMs(failures) };
    }
    if (peer.state.kind === 'connecting') {
      this.connections.disconnect(peer, { kind: 'left', nowMs, delayMs: 0 });
    }
  }

  /** @throws HandshakeError, OwnKeyUnavailableError or PeerUnreachableError */
  private async connect(peer: Peer): Promise<void> {
    const { local, limits } = this.connections.parts;
    const { endpoint } = peer;
    if (!this.connections.isAllowed({ nodeId: peer.nodeId, ...endpoint, direction: 'outbound' })) {
      throw new HandshakeError('not-allowed', true);
    }
    const client = new PeerClient(endpoint, { connections: 1, connectTimeoutMs: limits.connectTimeoutMs });
    try {
      const post = this.postBy(client);
      const { head, ...acquaintance } = await dialHandshake(local, peer.nodeId, {
        post,
        now: () => this.connections.now(),
      });
      this.unsigned = { failures: 0, untilMs: 0 };
      const rejection = await this.admission.rejectionOfDialled(acquaintance, endpoint);
      // It may have been removed, or this node stopped, while it was dialled.
      if (this.isStopped || this.connections.table.find(peer.nodeId) !== peer) return;
      if (rejection !== undefined) throw new HandshakeError(rejection, true);
      this.connections.establish(peer, acquaintance);
      peer.learnHead(head);
      this.onDialled(peer);
    } finally {
      client.close();
    }
  }

  private postBy(client: PeerClient): HandshakePost {
    const { handshakeTimeoutMs } = this.connections.parts.limits;
    return async (step, body) => {
      const { status, body: answer } = await client.post({
        path: PATHS[step],
        body,
        timeoutMs: handshakeTimeoutMs,
        answerBytes: MAX_HANDSHAKE_BYTES,
      });
      return { accepted: status === STATUS.done, body: answer };
    };
  }

  private onFailure(peer: Peer, error: unknown): void {
    const { logger } = this.connections.parts;
    const values = { peer: peer.shortId, address: formatEndpoint(peer.endpoint) };
    if (error instanceof HandshakeError) {
      const { rejection, isOurs, message } = error;
      if (rejection === 'wrong-clock') peer.clock.note(MAX_CLOCK_DIFFERENCE_MS, this.connections.now());
      if (rejection === 'duplicate-key' && !isOurs) {
        const { local } = this.connections.parts;
        this.connections.reportDuplicate(local.nodeId, [local.endpoint()], true);
      }
      const about = {
        message: 'peer is not talked to',
        values: { ...values, reason: rejection, why: message },
      };
      this.connections.once.warn(peer.nodeId, `dial ${rejection}`, about);
    } else if (error instanceof PeerUnreachableError) {
      logger.debug('peer unreachable', { ...values, why: error.message });
    } else {
      logger.error('a dial failed', { ...values, error });
    }
  }
}
