import { randomBytes } from 'node:crypto';
import type { NodeId } from '../identity/node-id.js';
import { NONCE_BYTES, type Introduction } from '../wire/introduction.js';
import type { Rejection } from '../wire/rejection.js';
import type { LocalNode } from './local-node.js';
import { FIRST_RANGED, markFallback } from './versions.js';

/** How far two clocks may be apart. Blocks carry time, so a node further off could not follow the chain anyway. */
export const MAX_CLOCK_DIFFERENCE_MS = 600_000;

/** How a node introduces itself. */
interface IntroductionParts {
  readonly peerId: NodeId;
  readonly ephemeral: Uint8Array;
  readonly nowMs: number;
  /** Whether it introduces itself to a node that speaks the oldest version alone. */
  readonly inOldest?: boolean;
  /** Whether the peer was offered a newer version before, and refused it. */
  readonly isFallback?: boolean;
}

/** The introduction of this node for the peer, with a fresh nonce. */
export function introduce(
  local: LocalNode,
  { peerId, ephemeral, nowMs, inOldest = false, isFallback = false }: IntroductionParts,
): Introduction {
  const { chainId, genesisHash, nodeId, instance, name, versions } = local;
  const version = inOldest ? versions.oldest : versions.newest;
  const nonce = randomBytes(NONCE_BYTES);
  return {
    version,
    chainId,
    genesisHash,
    nodeId,
    peerId,
    instance,
    name,
    ...local.endpoint(),
    oldest: version < FIRST_RANGED ? version : versions.oldest,
    nonce: isFallback ? markFallback(nonce) : nonce,
    ephemeral,
    timestampMs: nowMs,
  };
}

/**
 * Why this node rejects the introduced node; undefined when it does not.
 * @param options.expected - the node that was dialled, when this side dialled
 */
export function checkIntroduction(
  local: LocalNode,
  one: Introduction,
  { nowMs, expected }: { nowMs: number; expected?: NodeId },
): Rejection | undefined {
  if (one.chainId !== local.chainId) return 'wrong-chain';
  if (one.genesisHash !== local.genesisHash) return 'wrong-genesis';
  if (one.peerId !== local.nodeId) return 'wrong-node';
  if (one.nodeId === local.nodeId) return 'own-key';
  if (expected !== undefined && one.nodeId !== expected) return 'wrong-node';
  if (Math.abs(one.timestampMs - nowMs) > MAX_CLOCK_DIFFERENCE_MS) return 'wrong-clock';
  return undefined;
}
