import { fromRlp } from 'viem/utils';

/** What a block says of its consensus. */
export interface ConsensusFields {
  /** Rounds before it that brought no block; undefined where the header does not say. */
  readonly round: number | undefined;
  readonly validators: readonly string[];
  readonly vote: { readonly candidate: string; readonly isIn: boolean } | undefined;
}

/** A header as far as consensus goes. */
export interface ConsensusHeader {
  readonly miner: string;
  readonly nonce?: string | null | undefined;
  readonly extraData: string;
}

type Tree = string | readonly Tree[];

const ADDRESS = /^0x[0-9a-f]{40}$/i;
/** Vanity in front of the list of an IBFT header: 32 bytes after 0x. */
const VANITY_END = 66;
const IN = '0xffffffffffffffff';

/**
 * The fields of a QBFT or IBFT header; undefined on chains of other kinds.
 *
 * Layout: QBFT RLP([vanity, [validator…], [] or [candidate, ff or empty], round, [seal…]]);
 *         IBFT vanity (32) ‖ RLP([[validator…], seal, [seal…]]), with the candidate as beneficiary and in or out as nonce
 */
export function consensusFields({ miner, nonce, extraData }: ConsensusHeader): ConsensusFields | undefined {
  const qbft = listOf(extraData);
  if (qbft?.length === 5) {
    const [, validators, vote, round] = qbft;
    const read = addressesOf(validators);
    if (read === undefined || typeof round !== 'string' || typeof vote === 'string') return undefined;
    const [candidate, isIn] = vote ?? [];
    return {
      validators: read,
      round: Number(round === '0x' ? 0 : round),
      vote: isAddress(candidate) ? { candidate, isIn: isIn === '0xff' } : undefined,
    };
  }
  const ibft = listOf(`0x${extraData.slice(VANITY_END)}`);
  const validators = ibft?.length === 3 ? addressesOf(ibft[0]) : undefined;
  if (validators === undefined) return undefined;
  const hasVote =
    isAddress(miner) && BigInt(miner) !== 0n && (nonce === IN || nonce === '0x0000000000000000');
  return {
    validators,
    round: undefined,
    vote: hasVote ? { candidate: miner, isIn: nonce === IN } : undefined,
  };
}

function listOf(hex: string): readonly Tree[] | undefined {
  try {
    const tree: Tree = fromRlp(hex as `0x${string}`, 'hex');
    return typeof tree === 'string' ? undefined : tree;
  } catch {
    return undefined;
  }
}

function addressesOf(tree: Tree | undefined): readonly string[] | undefined {
  return Array.isArray(tree) && tree.every(isAddress) ? (tree as readonly string[]) : undefined;
}

function isAddress(value: Tree | undefined): value is string {
  return typeof value === 'string' && ADDRESS.test(value);
}
