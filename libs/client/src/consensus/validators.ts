import { getAddress, type Address, type Client, type Hash } from 'viem';
import { callMethod, callOnce } from '../wire/call-method.js';
import type { ResultOf } from '../wire/method-types.js';
import { numberOrTag, type BlockParameter } from './block-parameter.js';

/** Validators after a block. */
export function getValidators(client: Client, block: BlockParameter = {}): Promise<readonly Address[]> {
  return block.blockHash === undefined
    ? callMethod(client, 'ibft_getValidators', numberOrTag(block))
    : callMethod(client, 'ibft_getValidatorsAtHash', block.blockHash);
}

/** Validators and open votes after a block. */
export type ValidatorSnapshot = ResultOf<'ibft_getSnapshot'>;

/** Validators and open votes after a block. */
export function getValidatorSnapshot(client: Client, block: BlockParameter = {}): Promise<ValidatorSnapshot> {
  return block.blockHash === undefined
    ? callMethod(client, 'ibft_getSnapshot', numberOrTag(block))
    : callMethod(client, 'ibft_getSnapshotAtHash', block.blockHash);
}

/** Who proposed a block, and whose seals are in it. */
export interface BlockSigners {
  readonly number: number;
  readonly hash: Hash;
  readonly author: Address;
  readonly committers: readonly Address[];
}

/** Who proposed a block, and whose seals are in it. */
export async function getBlockSigners(client: Client, block: BlockParameter = {}): Promise<BlockSigners> {
  const found =
    block.blockHash === undefined
      ? await callMethod(client, 'ibft_getSignersFromBlock', numberOrTag(block))
      : await callMethod(client, 'ibft_getSignersFromBlockByHash', block.blockHash);
  if ('number' in found) return { ...found, committers: found.committers ?? [] };
  const { Number: number, Hash: hash, Author: author, Committers } = found;
  return { number, hash, author, committers: Committers ?? [] };
}

/** Whether the node is a validator after a block. */
export function isValidator(client: Client, block: Omit<BlockParameter, 'blockHash'> = {}): Promise<boolean> {
  return callMethod(client, 'ibft_isValidator', numberOrTag(block));
}

/** Address of the node's key, by which it is a validator. */
export function getNodeAddress(client: Client): Promise<Address> {
  return callMethod(client, 'ibft_nodeAddress');
}

/** A vote that the node casts in blocks it proposes. */
export interface ValidatorCandidate {
  readonly address: Address;
  /** True votes in, false votes out. */
  readonly vote: boolean;
}

/** Candidates that the node votes in or out. */
export async function getValidatorCandidates(client: Client): Promise<readonly ValidatorCandidate[]> {
  const candidates = await callMethod(client, 'ibft_candidates');
  return Object.entries(candidates).map(([address, vote]) => ({ address: getAddress(address), vote }));
}

/** Has the node vote for a validator, in every block that it proposes. */
export async function proposeValidator(client: Client, { address, vote }: ValidatorCandidate): Promise<void> {
  await callOnce(client, 'ibft_propose', address, vote);
}

/** Ends the node's votes for a candidate. */
export async function discardValidatorCandidate(
  client: Client,
  { address }: Pick<ValidatorCandidate, 'address'>,
): Promise<void> {
  await callOnce(client, 'ibft_discard', address);
}

/** A range of blocks without its end; the last 64 without both. */
export interface SealingRange {
  readonly fromBlock?: bigint | undefined;
  readonly toBlock?: bigint | undefined;
}

/** How many blocks of a range each validator proposed. */
export interface SealingActivity {
  readonly blocks: number;
  readonly proposed: readonly { readonly validator: Address; readonly blocks: number }[];
}

/** How many blocks each validator proposed. */
export async function getSealingActivity(
  client: Client,
  { fromBlock, toBlock }: SealingRange = {},
): Promise<SealingActivity> {
  const toWire = (block: bigint | undefined) => (block === undefined ? undefined : Number(block));
  const { numBlocks, sealerActivity } = await callMethod(
    client,
    'ibft_status',
    toWire(fromBlock),
    toWire(toBlock),
  );
  const proposed = Object.entries(sealerActivity).map(([validator, blocks]) => ({
    validator: getAddress(validator),
    blocks,
  }));
  return { blocks: numBlocks, proposed };
}
