import { EMPTY_OMMERS_HASH } from '@tetrad/node-block';
import { type Address, type BlockHeader, type Hash } from '@tetrad/types';
import {
  ibftCommitDigest,
  ibftProposerDigest,
  ibftSealHash,
  ibftBlockHash,
  qbftCommitDigest,
} from './block-hash.js';
import { ConsensusError } from './consensus-error.js';
import { decodeIbftExtraData, encodeIbftExtraData } from './ibft-extra-data.js';
import { DIFFICULTY, ISTANBUL_MIX_HASH, NONCE_ADD, NONCE_DROP } from './params.js';
import { decodeQbftExtraData, encodeQbftExtraData } from './qbft-extra-data.js';
import { legacyQuorumOf, quorumOf } from './quorum.js';
import { recoverCached } from './recovered-signers.js';

/** The parts of header handling that depend on the format. */
export interface BftRules {
  readonly engine: 'qbft' | 'ibft';
  /** Validators that must produce the block. */
  validatorsOf(header: BlockHeader): readonly Address[];
  proposerOf(header: BlockHeader): Address;
  /**
   * Addresses whose committed seal is in the header, in stored order.
   * @throws ConsensusError
   */
  committersOf(header: BlockHeader): readonly Address[];
  /** Extra data of block 0. */
  genesisExtraData(validators: readonly Address[]): Uint8Array;
}

/** Ascending by bytes, as validators are listed in extra data; addresses are lower-case hex. */
export function sortValidators(validators: readonly Address[]): Address[] {
  return [...validators].sort();
}

const qbftRules: BftRules = {
  engine: 'qbft',
  validatorsOf: (header) => decodeQbftExtraData(header.extraData).validators,
  proposerOf: (header) => header.beneficiary,
  committersOf(header) {
    const extra = decodeQbftExtraData(header.extraData);
    const digest = qbftCommitDigest(header, extra);
    return extra.committedSeals.map((seal) => recoverSealer(digest, seal));
  },
  genesisExtraData: (validators) =>
    encodeQbftExtraData({
      vanity: new Uint8Array(32),
      validators: sortValidators(validators),
      round: 0,
      committedSeals: [],
    }),
};

const ibftRules: BftRules = {
  engine: 'ibft',
  validatorsOf: (header) => decodeIbftExtraData(header.extraData).validators,
  proposerOf(header) {
    const extra = decodeIbftExtraData(header.extraData);
    return recoverSealer(ibftProposerDigest(ibftSealHash(header, extra)), extra.proposerSeal);
  },
  committersOf(header) {
    const extra = decodeIbftExtraData(header.extraData);
    const digest = ibftCommitDigest(ibftBlockHash(header, extra));
    return extra.committedSeals.map((seal) => recoverSealer(digest, seal));
  },
  genesisExtraData: (validators) =>
    encodeIbftExtraData({
      vanity: new Uint8Array(32),
      validators: sortValidators(validators),
      proposerSeal: new Uint8Array(0),
      committedSeals: [],
    }),
};

/** The rules of a format. */
export function bftRules(engine: 'qbft' | 'ibft'): BftRules {
  return engine === 'qbft' ? qbftRules : ibftRules;
}

function recoverSealer(digest: Uint8Array, seal: Uint8Array): Address {
  try {
    return recoverCached(digest, seal);
  } catch {
    throw new ConsensusError('invalid signature');
  }
}

export interface VerifyHeaderRequest {
  readonly rules: BftRules;
  readonly header: BlockHeader;
  readonly parent: { readonly hash: Hash; readonly header: BlockHeader };
  /** The set after the parent. */
  readonly validators: readonly Address[];
  /** Seconds since the epoch, and how far ahead of it a block may be. */
  readonly now: number;
  readonly allowedFutureSeconds: number;
  /** Whole seconds that must lie between the block and its parent. */
  readonly periodSeconds: number;
  /** Whether 2F+1 seals suffice, on a chain that began before ceil2Nby3Block. */
  readonly legacyQuorum: boolean;
  /** Whether it is a proposal, which has no committed seals to check yet. */
  readonly isProposal?: boolean;
}

/**
 * Checks a header against its parent and its seals, in the order of docs/spec/bft.md#checks.
 * A quorum of seals is demanded, not only the F+1 of the reference.
 * @throws ConsensusError with the text of the first rule broken
 */
export function verifyHeader(request: VerifyHeaderRequest): void {
  const { rules, header, parent } = request;
  if (header.timestamp > request.now + request.allowedFutureSeconds) fail('block in the future');
  verifyForm(rules, header);
  if (header.parentHash !== parent.hash || header.number !== parent.header.number + 1)
    fail('unknown ancestor');
  if (parent.header.timestamp + BigInt(request.periodSeconds) > header.timestamp) fail('invalid timestamp');
  const known = new Set(request.validators);
  if (!known.has(rules.proposerOf(header))) fail('unauthorized');
  if (request.isProposal !== true) verifySeals(request, known);
}

function verifyForm(rules: BftRules, header: BlockHeader): void {
  const listed = rules.validatorsOf(header);
  if (sortValidators(listed).some((validator, index) => validator !== listed[index]))
    fail('invalid extra data format');
  if (rules.engine === 'ibft' && !isVoteNonce(header.nonce)) fail('invalid nonce');
  if (header.mixHash !== ISTANBUL_MIX_HASH) fail('invalid Istanbul mix digest');
  if (header.ommersHash !== EMPTY_OMMERS_HASH) fail('non empty uncle hash');
  if (header.difficulty !== DIFFICULTY) fail('invalid difficulty');
}

function verifySeals(request: VerifyHeaderRequest, known: ReadonlySet<Address>): void {
  const committers = request.rules.committersOf(request.header);
  if (committers.length === 0) fail('zero committed seals');
  const distinct = new Set(committers);
  const needed = request.legacyQuorum ? legacyQuorumOf(known.size) : quorumOf(known.size);
  const foreign = committers.some((committer) => !known.has(committer));
  if (foreign || distinct.size !== committers.length || distinct.size < needed)
    fail('invalid committed seals');
}

function isVoteNonce(nonce: Uint8Array): boolean {
  return Buffer.compare(nonce, NONCE_ADD) === 0 || Buffer.compare(nonce, NONCE_DROP) === 0;
}

function fail(text: string): never {
  throw new ConsensusError(text);
}

/** Whether the header names exactly the validators that must produce it. */
export function namesValidators(
  rules: BftRules,
  header: BlockHeader,
  validators: readonly Address[],
): boolean {
  const listed = rules.validatorsOf(header);
  return (
    listed.length === validators.length &&
    sortValidators(validators).every((one, index) => one === listed[index])
  );
}
