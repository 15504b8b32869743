import { ZERO_HASH, type Address } from '@tetrad/types';
import { forksUpTo, type ForkName } from './forks.js';

/** Parameters of a default chain. */
export interface DefaultGenesisOptions {
  readonly chainId: number;
  /** Extra data of block 0: the validators, encoded by the consensus library; any under raft, which has none. */
  readonly extraData: string;
  readonly engine: 'qbft' | 'ibft' | 'raft';
  readonly blockPeriodMs: number;
  /** Seconds between blocks without transactions under QBFT; the block period when absent. */
  readonly emptyBlockPeriodSeconds?: number | undefined;
  /** Address → wei. */
  readonly balances: ReadonlyMap<Address, bigint>;
  /** Gas limit of block 0; `DEFAULT_GAS_LIMIT` when absent. */
  readonly gasLimit?: bigint | undefined;
  /** The newest fork whose rules hold, from block 0 on; Osaka when absent. */
  readonly fork?: ForkName | undefined;
  /** Kilobytes of deployed code; `DEFAULT_CODE_KILOBYTES` when absent. */
  readonly maxCodeKilobytes?: number | undefined;
  /** Whether transactions that offer a gas price are refused, as on GoQuorum networks. */
  readonly isGasFree?: boolean | undefined;
  /** Whether privacy flags and marker transactions are in force. */
  readonly hasPrivacy?: boolean | undefined;
  /** Seconds of the first round; the engine's default when absent. */
  readonly requestTimeoutSeconds?: number | undefined;
}

/** Default gas limit of a block: about 14,000 transfers. */
const DEFAULT_GAS_LIMIT = 300_000_000n;

/** What genesis files of GoQuorum networks usually allow; EIP-170 has 24. */
const DEFAULT_CODE_KILOBYTES = 64;

/** Privacy flags and marker transactions, from the first block on. */
const PRIVACY = { privacyEnhancementsBlock: 0, privacyPrecompileBlock: 0 };

/** mixHash of every block of the Istanbul family (docs/spec/bft.md#headers). */
const ISTANBUL_MIX_HASH = '0x63746963616c2062797a616e74696e65206661756c7420746f6c6572616e6365';

/**
 * The content of a `genesis.json` for a private network: today's EVM rules, no base fee, code of up to 64 kB, no gas limit of a
 * transaction but the block's, and the given validators. It is written to a file and read again like one that a person wrote.
 */
export function defaultGenesis(options: DefaultGenesisOptions): Record<string, unknown> {
  const { chainId, engine, balances } = options;
  return {
    config: {
      chainId,
      rules: 'tetrad',
      ...forksUpTo(options.fork ?? 'osaka'),
      ...limitsOf(options),
      ...(options.hasPrivacy === true ? PRIVACY : {}),
      [engine]: engine === 'raft' ? true : { epochlength: 30_000, ceil2Nby3Block: 0, ...timesOf(options) },
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

function timesOf(options: DefaultGenesisOptions): Record<string, number> {
  const { blockPeriodMs, emptyBlockPeriodSeconds, requestTimeoutSeconds } = options;
  return {
    ...(blockPeriodMs % 1000 === 0
      ? { blockperiodseconds: blockPeriodMs / 1000 }
      : { xblockperiodmilliseconds: blockPeriodMs }),
    ...(emptyBlockPeriodSeconds === undefined ? {} : { emptyblockperiodseconds: emptyBlockPeriodSeconds }),
    ...(requestTimeoutSeconds === undefined ? {} : { requesttimeoutseconds: requestTimeoutSeconds }),
  };
}

/** Every limit is written, also where it is the default: an operator reads in the file which of Ethereum's rules hold. */
function limitsOf({ maxCodeKilobytes, isGasFree }: DefaultGenesisOptions): Record<string, unknown> {
  return {
    zeroBaseFee: true,
    maxTransactionGas: 0,
    maxCodeSize: maxCodeKilobytes ?? DEFAULT_CODE_KILOBYTES,
    ...(isGasFree === true ? { transitions: [{ block: 0, gasPriceEnabled: false }] } : {}),
  };
}
