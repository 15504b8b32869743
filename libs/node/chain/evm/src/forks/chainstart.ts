import { opcode, type Features, type GasTable, type OpcodeRule } from './rules.js';

/** Gas of the opcodes by tier. Source: Yellow Paper, appendix G. */
const TIER = { zero: 0, base: 2, veryLow: 3, low: 5, mid: 8, high: 10 } as const;

export const CHAINSTART_GAS: GasTable = {
  balance: 20,
  extCodeSize: 20,
  extCodeCopy: 20,
  extCodeHash: 0,
  call: 40,
  load: 50,
  selfDestruct: 0,
  expByte: 10,
  storeReset: 5_000,
  storeClearRefund: 15_000,
  selfDestructRefund: 24_000,
  coldAccount: 0,
  coldSlot: 0,
  warm: 0,
  dataByte: 68,
};

export const CHAINSTART_FEATURES: Features = {
  strictCreation: false,
  gasReserve: false,
  noEmptyAccounts: false,
  paidBeneficiary: false,
  storePricing: 'plain',
  accessSets: false,
  baseFee: false,
  randomness: false,
  warmCoinbase: false,
  limitedInitCode: false,
  lastingContracts: false,
  dataFloor: false,
  delegatedCode: false,
  maxCodeSize: Infinity,
  refundQuotient: 2,
  reservedPrefix: false,
  maxTransactionGas: Infinity,
  accessListTransactions: false,
  dynamicFeeTransactions: false,
};

const PLAIN: Readonly<Record<number, OpcodeRule>> = {
  0x00: opcode('STOP', TIER.zero, 0, 0),
  0x01: opcode('ADD', TIER.veryLow, 2, 1),
  0x02: opcode('MUL', TIER.low, 2, 1),
  0x03: opcode('SUB', TIER.veryLow, 2, 1),
  0x04: opcode('DIV', TIER.low, 2, 1),
  0x05: opcode('SDIV', TIER.low, 2, 1),
  0x06: opcode('MOD', TIER.low, 2, 1),
  0x07: opcode('SMOD', TIER.low, 2, 1),
  0x08: opcode('ADDMOD', TIER.mid, 3, 1),
  0x09: opcode('MULMOD', TIER.mid, 3, 1),
  0x0a: opcode('EXP', TIER.high, 2, 1),
  0x0b: opcode('SIGNEXTEND', TIER.low, 2, 1),
  0x10: opcode('LT', TIER.veryLow, 2, 1),
  0x11: opcode('GT', TIER.veryLow, 2, 1),
  0x12: opcode('SLT', TIER.veryLow, 2, 1),
  0x13: opcode('SGT', TIER.veryLow, 2, 1),
  0x14: opcode('EQ', TIER.veryLow, 2, 1),
  0x15: opcode('ISZERO', TIER.veryLow, 1, 1),
  0x16: opcode('AND', TIER.veryLow, 2, 1),
  0x17: opcode('OR', TIER.veryLow, 2, 1),
  0x18: opcode('XOR', TIER.veryLow, 2, 1),
  0x19: opcode('NOT', TIER.veryLow, 1, 1),
  0x1a: opcode('BYTE', TIER.veryLow, 2, 1),
  0x20: opcode('KECCAK256', 30, 2, 1),
  0x30: opcode('ADDRESS', TIER.base, 0, 1),
  0x31: opcode('BALANCE', 0, 1, 1),
  0x32: opcode('ORIGIN', TIER.base, 0, 1),
  0x33: opcode('CALLER', TIER.base, 0, 1),
  0x34: opcode('CALLVALUE', TIER.base, 0, 1),
  0x35: opcode('CALLDATALOAD', TIER.veryLow, 1, 1),
  0x36: opcode('CALLDATASIZE', TIER.base, 0, 1),
  0x37: opcode('CALLDATACOPY', TIER.veryLow, 3, 0),
  0x38: opcode('CODESIZE', TIER.base, 0, 1),
  0x39: opcode('CODECOPY', TIER.veryLow, 3, 0),
  0x3a: opcode('GASPRICE', TIER.base, 0, 1),
  0x3b: opcode('EXTCODESIZE', 0, 1, 1),
  0x3c: opcode('EXTCODECOPY', 0, 4, 0),
  0x40: opcode('BLOCKHASH', 20, 1, 1),
  0x41: opcode('COINBASE', TIER.base, 0, 1),
  0x42: opcode('TIMESTAMP', TIER.base, 0, 1),
  0x43: opcode('NUMBER', TIER.base, 0, 1),
  0x44: opcode('DIFFICULTY', TIER.base, 0, 1),
  0x45: opcode('GASLIMIT', TIER.base, 0, 1),
  0x50: opcode('POP', TIER.base, 1, 0),
  0x51: opcode('MLOAD', TIER.veryLow, 1, 1),
  0x52: opcode('MSTORE', TIER.veryLow, 2, 0),
  0x53: opcode('MSTORE8', TIER.veryLow, 2, 0),
  0x54: opcode('SLOAD', 0, 1, 1),
  0x55: opcode('SSTORE', 0, 2, 0),
  0x56: opcode('JUMP', TIER.mid, 1, 0),
  0x57: opcode('JUMPI', TIER.high, 2, 0),
  0x58: opcode('PC', TIER.base, 0, 1),
  0x59: opcode('MSIZE', TIER.base, 0, 1),
  0x5a: opcode('GAS', TIER.base, 0, 1),
  0x5b: opcode('JUMPDEST', 1, 0, 0),
  0xf0: opcode('CREATE', 32_000, 3, 1),
  0xf1: opcode('CALL', 0, 7, 1),
  0xf2: opcode('CALLCODE', 0, 7, 1),
  0xf3: opcode('RETURN', TIER.zero, 2, 0),
  0xff: opcode('SELFDESTRUCT', 0, 1, 0),
};

/** The numbered opcodes: PUSH1 to PUSH32, DUP, SWAP and LOG. */
function rows(): Record<number, OpcodeRule> {
  const opcodes: Record<number, OpcodeRule> = {};
  for (let n = 1; n <= 32; n++) opcodes[0x5f + n] = opcode(`PUSH${n}`, TIER.veryLow, 0, 1);
  for (let n = 1; n <= 16; n++) {
    opcodes[0x7f + n] = opcode(`DUP${n}`, TIER.veryLow, n, n + 1);
    opcodes[0x8f + n] = opcode(`SWAP${n}`, TIER.veryLow, n + 1, n + 1);
  }
  for (let topics = 0; topics <= 4; topics++) {
    opcodes[0xa0 + topics] = opcode(`LOG${topics}`, 375 * (topics + 1), topics + 2, 0);
  }
  return opcodes;
}

export const CHAINSTART_OPCODES: Readonly<Record<number, OpcodeRule>> = { ...PLAIN, ...rows() };
