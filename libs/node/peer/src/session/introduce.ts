import { randomBytes } from 'node:crypto';
import type { NodeId } from '../identity/node-id.js';
import { NONCE_BYTES, PROTOCOL_VERSION, type Introduction } from '../wire/introduction.js';
import type { Rejection } from '../wire/rejection.js';
import type { LocalNode } from './local-node.js';

/** How far two clocks may be apart. Blocks carry time, so a node further off could not follow the chain anyway. */
export const MAX_CLOCK_DIFFERENCE_MS = 600_000;

/** The introduction of this node for the peer, with a fresh nonce. */
export function introduce(
  local: LocalNode,
  { peerId, ephemeral, nowMs }: { peerId: NodeId; ephemeral: Uint8Array; nowMs: number },
): Introduction {
  const { chainId, genesisHash, nodeId, instance, name } = local;
  return {
    ...{ version: PROTOCOL_VERSION, chainId, genesisHash, nodeId, peerId, instance, name },
    ...local.endpoint(),
    nonce: randomBytes(NONCE_BYTES),
    ephemeral,
    timestampMs: nowMs,
  };
}

/**
 * Why this node rejects the introduced node; undefined when it does not.
 *
 * In: expected — the node that was dialled, when this side dialled
 */
export function judgeIntroduction(
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
