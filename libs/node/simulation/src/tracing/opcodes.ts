import type { Evm } from '@tetrad/node-evm';

/** Opcodes that traces look at. */
export const OP = {
  BALANCE: 0x31,
  EXTCODESIZE: 0x3b,
  EXTCODECOPY: 0x3c,
  EXTCODEHASH: 0x3f,
  SLOAD: 0x54,
  SSTORE: 0x55,
  LOG0: 0xa0,
  LOG4: 0xa4,
  CALL: 0xf1,
  CALLCODE: 0xf2,
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

export function isLog(op: number): boolean {
  return op >= OP.LOG0 && op <= OP.LOG4;
}
