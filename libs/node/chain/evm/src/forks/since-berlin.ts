import type { ForkName } from '@tetrad/node-precompiles';
import { opcode, type ForkChange } from './rules.js';

/** Changes of the forks from Berlin to Osaka. */
export const SINCE_BERLIN: Partial<Record<ForkName, ForkChange>> = {
  berlin: {
    features: { accessSets: true, accessListTransactions: true },
    /** EIP-2929: touching is what is paid for; a changed slot costs 5000 with the first touch. */
    gas: {
      balance: 0,
      extCodeSize: 0,
      extCodeCopy: 0,
      extCodeHash: 0,
      call: 0,
      load: 0,
      coldAccount: 2_600,
      coldSlot: 2_100,
      warm: 100,
      storeReset: 2_900,
    },
  },
  london: {
    features: { baseFee: true, reservedPrefix: true, refundQuotient: 5, dynamicFeeTransactions: true },
    /** EIP-3529. */
    gas: { storeClearRefund: 4_800, selfDestructRefund: 0 },
    /** EIP-3198. */
    opcodes: { 0x48: opcode('BASEFEE', 2, 0, 1) },
  },
  paris: {
    features: { randomness: true },
    /** EIP-4399. */
    opcodes: { 0x44: opcode('PREVRANDAO', 2, 0, 1) },
  },
  shanghai: {
    /** EIP-3651, EIP-3860. */
    features: { warmCoinbase: true, limitedInitCode: true },
    /** EIP-3855. */
    opcodes: { 0x5f: opcode('PUSH0', 2, 0, 1) },
  },
  cancun: {
    features: { lastingContracts: true },
    opcodes: {
      /** EIP-4844, EIP-7516. */
      0x49: opcode('BLOBHASH', 3, 1, 1),
      0x4a: opcode('BLOBBASEFEE', 2, 0, 1),
      /** EIP-1153. */
      0x5c: opcode('TLOAD', 100, 1, 1),
      0x5d: opcode('TSTORE', 100, 2, 0),
      /** EIP-5656. */
      0x5e: opcode('MCOPY', 3, 3, 0),
    },
  },
  prague: { features: { dataFloor: true, delegatedCode: true } },
  osaka: {
    features: { maxTransactionGas: 2 ** 24 },
    /** EIP-7939. */
    opcodes: { 0x1e: opcode('CLZ', 5, 1, 1) },
  },
};
