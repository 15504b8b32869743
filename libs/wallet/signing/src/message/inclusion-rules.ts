import { CoinAddress } from '@tetrad/wallet-key';
import type { CoinMessage } from './coin-message.js';
import type { MessageField } from './message-error.js';

/** All coins there can be, in the smallest unit: 2 · 10^9 coins. Source: lotus, build/buildconstants. */
export const TOTAL_SUPPLY = 2_000_000_000n * 10n ** 18n;
/** Gas of one block. Source: lotus, build/buildconstants. */
export const BLOCK_GAS_LIMIT = 10_000_000_000n;

/** Why a chain would not take a message into a block. */
export interface InclusionFault {
  readonly field: MessageField;
  readonly message: string;
}

interface InclusionRule {
  readonly field: MessageField;
  readonly broken: (message: CoinMessage, minimumGas: bigint) => boolean;
  readonly text: (message: CoinMessage, minimumGas: bigint) => string;
}

/** In the order and the words of lotus, chain/types/message.go, ValidForBlockInclusion. */
const RULES: readonly InclusionRule[] = [
  rule('Version', (m) => m.version !== 0n, "'Version' unsupported"),
  rule('To', (m) => isZeroBlsAddress(m.to), "invalid 'To' address"),
  rule('Value', (m) => m.value < 0n, "'Value' field cannot be negative"),
  rule('Value', (m) => m.value > TOTAL_SUPPLY, "'Value' field cannot be greater than total filecoin supply"),
  rule('GasFeeCap', (m) => m.gasFeeCap < 0n, "'GasFeeCap' field cannot be negative"),
  rule('GasPremium', (m) => m.gasPremium < 0n, "'GasPremium' field cannot be negative"),
  rule('GasPremium', (m) => m.gasPremium > m.gasFeeCap, "'GasFeeCap' less than 'GasPremium'"),
  rule(
    'GasLimit',
    (m) => m.gasLimit > BLOCK_GAS_LIMIT,
    "'GasLimit' field cannot be greater than a block's gas limit",
  ),
  {
    field: 'GasLimit',
    broken: (m) => m.gasLimit <= 0n,
    text: (m) => `'GasLimit' field ${m.gasLimit} must be positive`,
  },
  {
    field: 'GasLimit',
    broken: (m, minimumGas) => m.gasLimit < minimumGas,
    text: (m, minimumGas) =>
      `'GasLimit' field cannot be less than the cost of storing a message on chain ${m.gasLimit} < ${minimumGas}`,
  },
];

/**
 * The first rule of the chain that the message breaks, undefined when it breaks none.
 * @param minimumGas - gas that storing the message costs; a wallet without a chain knows none and leaves it 0
 */
export function findInclusionFault(message: CoinMessage, minimumGas = 0n): InclusionFault | undefined {
  const broken = RULES.find((candidate) => candidate.broken(message, minimumGas));
  return broken && { field: broken.field, message: broken.text(message, minimumGas) };
}

function rule(field: MessageField, broken: (message: CoinMessage) => boolean, text: string): InclusionRule {
  return { field, broken, text: () => text };
}

/** The BLS address of the point at infinity, which no key has. Source: lotus, build, ZeroAddress. */
const ZERO_BLS_KEY = CoinAddress.fromBytes(Uint8Array.of(3, 0xc0, ...new Uint8Array(47))).key;

function isZeroBlsAddress(address: CoinAddress): boolean {
  return address.key === ZERO_BLS_KEY;
}
