import { EMPTY_OMMERS_HASH, EMPTY_ROOT, encodeHeader } from '@tetrad/node-block';
import { EMPTY_LIST, rlpList } from '@tetrad/rlp';
import { ZERO_ADDRESS, parseHash, type Address, type BlockHeader, type Hash } from '@tetrad/types';
import { bftRules, verifyHeader } from '../../src/bft-rules.js';
import { sealedProposal } from '../sealed-proposal.js';
import { hashHeader } from '../../src/block-hash.js';
import type { HeightContext } from '../../src/machine/height.js';
import type { HeaderFormat } from '../../src/messages/proposed-block.js';
import { ISTANBUL_MIX_HASH } from '../../src/params.js';
import type { ProposerPolicy } from '../../src/proposer-selection.js';

/** What executing gives in this world; a block that says anything else is not valid. */
export const VALID_STATE = EMPTY_ROOT;
export const INVALID_STATE = parseHash(`0x${'de'.repeat(32)}`);

export const PERIOD_MS = 1_000;
const REQUEST_TIMEOUT_MS = 1_000;
const MAX_TIMEOUT_MS = 8_000;

export interface SimulatedBlock {
  readonly hash: Hash;
  readonly header: BlockHeader;
}

export interface ChainSettings {
  readonly format: HeaderFormat;
  readonly policy: ProposerPolicy;
  readonly validators: readonly Address[];
  readonly genesisTimestamp: number;
  /** Headers that some node has verified: what all do with the same result is done once. */
  readonly verified: WeakSet<BlockHeader>;
}

/** The blocks one node has stored: they survive its crashes. */
export class SimulatedChain {
  readonly blocks: SimulatedBlock[];
  private known: HeightContext | undefined;

  constructor(private readonly settings: ChainSettings) {
    const { format, validators, genesisTimestamp } = settings;
    const header = { ...emptyHeader(), timestamp: BigInt(genesisTimestamp) };
    const genesis = { ...header, extraData: bftRules(format).genesisExtraData(validators) };
    this.blocks = [{ hash: hashHeader(genesis), header: genesis }];
  }

  get head(): SimulatedBlock {
    const head = this.blocks.at(-1);
    if (head === undefined) throw new Error('a chain has a genesis block');
    return head;
  }

  get height(): number {
    return this.head.header.number;
  }

  /**
   * Appends a sealed block.
   * @throws with the rule it breaks, as importing does
   */
  append(header: BlockHeader): void {
    const { verified } = this.settings;
    const isKnown = verified.has(header) && header.parentHash === this.head.hash;
    if (!isKnown) this.verify(header);
    verified.add(header);
    this.blocks.push({ hash: hashHeader(header), header });
    this.known = undefined;
  }

  /** Forgets all blocks but the first so many above block 0. */
  keep(blocks: number): void {
    this.blocks.splice(blocks + 1);
    this.known = undefined;
  }

  private verify(header: BlockHeader): void {
    const { format, validators } = this.settings;
    verifyHeader({
      rules: bftRules(format),
      header,
      parent: this.head,
      validators,
      now: Number(header.timestamp),
      allowedFutureSeconds: 0,
      periodSeconds: PERIOD_MS / 1000,
      legacyQuorum: false,
    });
    if (header.stateRoot !== VALID_STATE) throw new Error('invalid merkle root');
  }

  context(): HeightContext {
    this.known ??= this.createContext();
    return this.known;
  }

  private createContext(): HeightContext {
    const { header, hash } = this.head;
    const { format, policy, validators } = this.settings;
    const due = Number(header.timestamp) * 1000 + PERIOD_MS;
    return {
      height: header.number + 1,
      parentHash: hash,
      validators,
      format,
      policy,
      lastAuthor: header.number === 0 ? ZERO_ADDRESS : bftRules(format).proposerOf(header),
      periodEndsMs: due,
      idleEndsMs: due,
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
      maxRequestTimeoutMs: MAX_TIMEOUT_MS,
    };
  }

  /**
   * An encoded block on top of the head.
   * @param author.vanity - distinguishes two blocks of one author
   */
  build(author: {
    readonly address: Address;
    readonly privateKey: Uint8Array;
    readonly nowMs: number;
    readonly vanity: Uint8Array;
    readonly stateRoot?: Hash;
  }): Uint8Array {
    const { format, validators } = this.settings;
    const { header, hash } = this.head;
    const next: BlockHeader = {
      ...emptyHeader(),
      number: header.number + 1,
      parentHash: hash,
      stateRoot: author.stateRoot ?? VALID_STATE,
      timestamp: BigInt(
        Math.max(Number(header.timestamp) + PERIOD_MS / 1000, Math.floor(author.nowMs / 1000)),
      ),
    };
    const { privateKey, vanity, address: proposer } = author;
    const proposal = { format, header: next, proposer, validators, vanity };
    const sealed = sealedProposal(proposal, privateKey);
    return rlpList([encodeHeader(sealed), EMPTY_LIST, EMPTY_LIST]);
  }
}

function emptyHeader(): BlockHeader {
  return {
    parentHash: parseHash(`0x${'00'.repeat(32)}`),
    ommersHash: EMPTY_OMMERS_HASH,
    beneficiary: ZERO_ADDRESS,
    stateRoot: VALID_STATE,
    transactionsRoot: EMPTY_ROOT,
    receiptsRoot: EMPTY_ROOT,
    logsBloom: new Uint8Array(256),
    difficulty: 1n,
    number: 0,
    gasLimit: 30_000_000n,
    gasUsed: 0n,
    timestamp: 0n,
    extraData: new Uint8Array(0),
    mixHash: ISTANBUL_MIX_HASH,
    nonce: new Uint8Array(8),
  };
}
