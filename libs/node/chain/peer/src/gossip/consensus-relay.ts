import { keccakHash } from '@tetrad/crypto';
import type { Address, Hash } from '@tetrad/types';
import { KnownHashes } from '../peers/known.js';
import type { Penalty } from '../peers/peer-score.js';
import type { Peer } from '../peers/peer.js';
import type { Stopwatch } from '../peers/stopwatch.js';
import type { ConsensusPort } from '../ports.js';
import { decodeConsensusEnvelope, encodeConsensusEnvelope } from '../wire/consensus-envelope.js';
import type { PushMessage } from '../wire/push-message.js';

/** Messages that this node accepted and does not look at again. Source: docs/spec/bft.md#messages. */
const SEEN = 1_024;

export interface ConsensusRelayOptions {
  readonly consensus: ConsensusPort;
  readonly ownAddress: Address;
  /** Known peers, connected or not. */
  readonly peers: () => readonly Peer[];
  readonly send: (peer: Peer, message: PushMessage) => void;
  readonly penalise: (peer: Peer, penalty: Penalty, detail?: string) => void;
  readonly messageBytes: number;
  readonly stopwatch: Stopwatch;
  readonly onTrouble: (error: unknown) => void;
}

/**
 * A validator sends consensus messages directly to the others. Only when it cannot reach all of them does it ask the
 * reachable ones to relay the message, which each does once (docs/adr/0034), and again when the message is
 * repeated and the engine accepts it again (docs/adr/0032).
 */
export class ConsensusRelay {
  private readonly seen = new KnownHashes(SEEN);
  private readonly inHand = new Set<Hash>();

  constructor(private readonly options: ConsensusRelayOptions) {}

  /** Sends the engine's message to every other validator. Never fails: one that is too large is reported. */
  broadcast(message: Uint8Array): void {
    if (!this.fits(message)) return;
    const validators = this.otherValidators();
    const known = this.options.peers().filter(({ address }) => validators.has(address));
    const isEveryoneReached =
      known.length === validators.size && known.every(({ isConnected }) => isConnected);
    const payload = encodeConsensusEnvelope({ relay: !isEveryoneReached, message });
    // A node that answers its own broadcast must not take it for a new message.
    this.seen.add(keccakHash(message));
    for (const peer of known) this.options.send(peer, { kind: 'consensus', payload });
  }

  /** Sends the engine's message to one peer, as `broadcast` does. */
  sendTo(peer: Peer, message: Uint8Array): void {
    if (!this.fits(message)) return;
    this.options.send(peer, {
      kind: 'consensus',
      payload: encodeConsensusEnvelope({ relay: false, message }),
    });
  }

  /** Passes a peer's message to the engine, and relays it when its envelope asks for that and the engine accepts it. */
  async receive(peer: Peer, payload: Uint8Array): Promise<void> {
    const { relay, message, hash } = this.options.stopwatch.time(() => readEnvelope(payload));
    // A repeated message of a peer is intended: the engine may have ignored it the first time.
    const isSentAgain = peer.connection?.known.consensus.has(hash) === true;
    peer.connection?.known.consensus.add(hash);
    if (this.inHand.has(hash) || (this.seen.has(hash) && !isSentAgain)) return;
    this.inHand.add(hash);
    try {
      const outcome = await this.options.consensus.onMessage(message, peer.nodeId);
      if (outcome === 'invalid') this.options.penalise(peer, 'invalid consensus message');
      // A message ignored now, for example because its round has not begun, may be accepted when it is repeated.
      if (outcome !== 'accepted') return;
      this.seen.add(hash);
      if (!relay) return;
      // A repeated message is relayed again: a validator behind this node may have been cut off the first time.
      const lacks = (other: Peer) => isSentAgain || other.connection?.known.consensus.has(hash) !== true;
      this.passOn(
        hash,
        encodeConsensusEnvelope({ relay, message }),
        (other) => other !== peer && lacks(other),
      );
    } catch (error) {
      this.options.onTrouble(error);
    } finally {
      this.inHand.delete(hash);
    }
  }

  /** To the connected validators that may lack it. */
  private passOn(hash: Hash, payload: Uint8Array, mayLack: (peer: Peer) => boolean): void {
    const validators = this.otherValidators();
    for (const peer of this.options.peers()) {
      const known = peer.connection?.known.consensus;
      if (known === undefined || !validators.has(peer.address) || !mayLack(peer)) continue;
      known.add(hash);
      this.options.send(peer, { kind: 'consensus', payload });
    }
  }

  private otherValidators(): ReadonlySet<Address> {
    const { consensus, ownAddress } = this.options;
    return new Set(consensus.validators().filter((address) => address !== ownAddress));
  }

  private fits({ length }: Uint8Array): boolean {
    const { messageBytes, onTrouble } = this.options;
    if (length <= messageBytes) return true;
    onTrouble(new RangeError(`a consensus message has at most ${messageBytes} bytes, not ${length}`));
    return false;
  }
}

function readEnvelope(payload: Uint8Array) {
  const { relay, message } = decodeConsensusEnvelope(payload);
  return { relay, message, hash: keccakHash(message) };
}
