import { ZERO_HASH, type Address } from '@tetrad/types';
import { CURRENT_RULES } from './forks.js';

/** Parameters of a default chain. */
export interface DefaultGenesisOptions {
  readonly chainId: number;
  /** Extra data of block 0: the validators, encoded by the consensus library; any under raft, which has none. */
  readonly extraData: string;
  readonly engine: 'qbft' | 'ibft' | 'raft';
  readonly blockPeriodMs: number;
  /** Address → wei. */
  readonly balances: ReadonlyMap<Address, bigint>;
  /** Gas limit of block 0; `DEFAULT_GAS_LIMIT` when absent. */
  readonly gasLimit?: bigint;
  /** Whether privacy flags and marker transactions are in force. */
  readonly hasPrivacy?: boolean;
  /** Seconds of the first round; the engine's default when absent. */
  readonly requestTimeoutSeconds?: number;
}

/** Default gas limit of a block: about 14,000 transfers. */
const DEFAULT_GAS_LIMIT = 300_000_000n;

/** Privacy flags and marker transactions, from the first block on. */
const PRIVACY = { privacyEnhancementsBlock: 0, privacyPrecompileBlock: 0 };

/** mixHash of every block of the Istanbul family (ibft.md, section 3). */
const ISTANBUL_MIX_HASH = '0x63746963616c2062797a616e74696e65206661756c7420746f6c6572616e6365';

/**
 * The content of a `genesis.json` with today's EVM rules, free gas and the given validators.
 * It is written to a file and read again like one that a person wrote.
 */
export function defaultGenesis(options: DefaultGenesisOptions): Record<string, unknown> {
  const { chainId, engine, blockPeriodMs, balances } = options;
  const period =
    blockPeriodMs % 1000 === 0
      ? { blockperiodseconds: blockPeriodMs / 1000 }
      : { xblockperiodmilliseconds: blockPeriodMs };
  const { requestTimeoutSeconds } = options;
  const timeout = requestTimeoutSeconds === undefined ? {} : { requesttimeoutseconds: requestTimeoutSeconds };
  return {
    config: {
      chainId,
      rules: 'tetrad',
      ...CURRENT_RULES,
      ...(options.hasPrivacy === true ? PRIVACY : {}),
      [engine]: engine === 'raft' ? true : { epochlength: 30_000, ceil2Nby3Block: 0, ...period, ...timeout },
    },
    nonce: '0x0',
    timestamp: '0x0',
    extraData: options.extraData,
    gasLimit: `0x${(options.gasLimit ?? DEFAULT_GAS_LIMIT).toString(16)}`,
    difficulty: '0x1',
    mixHash: engine === 'raft' ? ZERO_HASH : ISTANBUL_MIX_HASH,
    coinbase: `0x${'00'.repeat(20)}`,
    alloc: Object.fromEntries(
      [...balances].map(([address, wei]) => [address, { balance: `0x${wei.toString(16)}` }]),
    ),
  };
}
