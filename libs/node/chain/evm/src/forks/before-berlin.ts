import type { ForkName } from '@tetrad/node-precompiles';
import { opcode, type ForkChange } from './rules.js';

/** Changes of the forks from Homestead to Istanbul. */
export const BEFORE_BERLIN: Partial<Record<ForkName, ForkChange>> = {
  homestead: {
    features: { strictCreation: true },
    /** EIP-7. */
    opcodes: { 0xf4: opcode('DELEGATECALL', 0, 6, 1) },
  },
  tangerineWhistle: {
    features: { gasReserve: true, paidBeneficiary: true },
    /** EIP-150. */
    gas: { balance: 400, extCodeSize: 700, extCodeCopy: 700, call: 700, load: 200, selfDestruct: 5_000 },
  },
  spuriousDragon: {
    features: { noEmptyAccounts: true, maxCodeSize: 24_576 },
    /** EIP-160. */
    gas: { expByte: 50 },
  },
  byzantium: {
    opcodes: {
      /** EIP-211. */
      0x3d: opcode('RETURNDATASIZE', 2, 0, 1),
      0x3e: opcode('RETURNDATACOPY', 3, 3, 0),
      /** EIP-214. */
      0xfa: opcode('STATICCALL', 0, 6, 1),
      /** EIP-140. */
      0xfd: opcode('REVERT', 0, 2, 0),
    },
  },
  constantinople: {
    /** EIP-1283. */
    features: { storePricing: 'net' },
    /** EIP-1052. */
    gas: { extCodeHash: 400 },
    opcodes: {
      /** EIP-145. */
      0x1b: opcode('SHL', 3, 2, 1),
      0x1c: opcode('SHR', 3, 2, 1),
      0x1d: opcode('SAR', 3, 2, 1),
      0x3f: opcode('EXTCODEHASH', 0, 1, 1),
      /** EIP-1014. */
      0xf5: opcode('CREATE2', 32_000, 4, 1),
    },
  },
  /** EIP-1716: EIP-1283 is taken back. */
  petersburg: { features: { storePricing: 'plain' } },
  istanbul: {
    /** EIP-2200. */
    features: { storePricing: 'netWithSentry' },
    /** EIP-1884, EIP-2028. */
    gas: { balance: 700, extCodeHash: 700, load: 800, dataByte: 16 },
    opcodes: {
      /** EIP-1344, EIP-1884. */
      0x46: opcode('CHAINID', 2, 0, 1),
      0x47: opcode('SELFBALANCE', 5, 0, 1),
    },
  },
};
