import type { Evm } from '@tetrad/node-evm';

/** Opcodes that traces look at. */
export const OP = {
  STOP: 0x00,
  BALANCE: 0x31,
  EXTCODESIZE: 0x3b,
  EXTCODECOPY: 0x3c,
  EXTCODEHASH: 0x3f,
  SLOAD: 0x54,
  SSTORE: 0x55,
  JUMPDEST: 0x5b,
  PUSH1: 0x60,
  PUSH32: 0x7f,
  DUP1: 0x80,
  SWAP1: 0x90,
  LOG0: 0xa0,
  LOG4: 0xa4,
  CALL: 0xf1,
  CALLCODE: 0xf2,
  RETURN: 0xf3,
  DELEGATECALL: 0xf4,
  STATICCALL: 0xfa,
  REVERT: 0xfd,
  INVALID: 0xfe,
  SELFDESTRUCT: 0xff,
} as const;

/** The name of an opcode under the rules; of one that they do not have, geth's text. */
export function nameOfOpcode(rules: Evm['rules'], op: number): string {
  return (
    rules.opcodes[op]?.name ?? (op === OP.INVALID ? 'INVALID' : `opcode 0x${op.toString(16)} not defined`)
  );
}

/** Names that geth 1.10 had, which GoQuorum's tracers give. */
const OLDER_NAMES: Readonly<Record<string, string>> = { KECCAK256: 'SHA3', PREVRANDAO: 'DIFFICULTY' };

/** As `nameOfOpcode`, with the names of geth 1.10. */
export function geth110NameOf(rules: Evm['rules'], op: number): string {
  const name = nameOfOpcode(rules, op);
  return OLDER_NAMES[name] ?? name;
}

export function isLog(op: number): boolean {
  return op >= OP.LOG0 && op <= OP.LOG4;
}
