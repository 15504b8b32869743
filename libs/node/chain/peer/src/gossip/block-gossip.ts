import type { Address, Hash, SealedHeader } from '@tetrad/types';
import { KnownHashes } from '../peers/known.js';
import type { Peer } from '../peers/peer.js';
import type { Stopwatch } from '../peers/stopwatch.js';
import { headOf } from '../network/request-handler.js';
import { encodeHead } from '../wire/handshake-messages.js';
import type { PushMessage } from '../wire/push-message.js';

/** Blocks that were announced lately. */
const ANNOUNCED = 256;

export interface BlockGossipOptions {
  readonly connected: () => readonly Peer[];
  readonly validators: () => readonly Address[];
  /** Whether this node is far behind, so that peers already have its blocks. */
  readonly isBehind: () => boolean;
  /** Whether some peers get blocks whole; otherwise blocks are only announced. */
  readonly isPushed: boolean;
  /** In [0, 1). */
  readonly random: () => number;
  readonly send: (peer: Peer, message: PushMessage) => void;
  readonly stopwatch: Stopwatch;
}

/**
 * Announces new blocks to peers. Validators make the block themselves and only get its number and hash; of the other
 * peers some get it whole and the rest request it. Where blocks come from elsewhere, no peer gets any whole.
 */
export class BlockGossip {
  private readonly announced = new KnownHashes(ANNOUNCED);

  constructor(private readonly options: BlockGossipOptions) {}

  /** @param encode - the block's bytes, called when a peer gets the whole block */
  announce(block: SealedHeader, encode: () => Uint8Array): void {
    if (this.announced.has(block.hash) || this.options.isBehind()) return;
    this.announced.add(block.hash);
    const peers = this.options.connected().filter((peer) => !isKnown(peer, block));
    const whole = this.choose(peers);
    const head = encodeHead(headOf(block));
    let payload: Uint8Array | undefined;
    for (const peer of peers) {
      peer.connection?.known.blocks.add(block.hash);
      if (whole.has(peer))
        this.options.send(peer, {
          kind: 'block',
          payload: (payload ??= this.options.stopwatch.time(encode)),
        });
      else this.options.send(peer, { kind: 'head', payload: head });
    }
  }

  /** A random choice of about the square root of the peers that do not make the block themselves. */
  private choose(peers: readonly Peer[]): ReadonlySet<Peer> {
    if (!this.options.isPushed) return new Set();
    const validators = new Set<Address>(this.options.validators());
    const others = peers.filter(({ address }) => !validators.has(address));
    const first = Math.floor(this.options.random() * others.length);
    const turned = [...others.slice(first), ...others.slice(0, first)];
    return new Set(turned.slice(0, Math.ceil(Math.sqrt(others.length))));
  }
}

/** Whether the peer is known to have the block. */
function isKnown(
  { connection, head }: Peer,
  { hash, header }: { hash: Hash; header: { number: number } },
): boolean {
  return connection?.known.blocks.has(hash) === true || (head !== undefined && head.number >= header.number);
}
