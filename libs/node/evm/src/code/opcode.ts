/** Opcodes that the decoder and the loops name; the others are in the tables of `opcodes`. */
export const OP = {
  STOP: 0x00,
  SSTORE: 0x55,
  JUMP: 0x56,
  JUMPI: 0x57,
  PC: 0x58,
  GAS: 0x5a,
  JUMPDEST: 0x5b,
  PUSH0: 0x5f,
  PUSH1: 0x60,
  PUSH32: 0x7f,
  CREATE: 0xf0,
  CALL: 0xf1,
  CALLCODE: 0xf2,
  RETURN: 0xf3,
  DELEGATECALL: 0xf4,
  CREATE2: 0xf5,
  STATICCALL: 0xfa,
  REVERT: 0xfd,
  INVALID: 0xfe,
  SELFDESTRUCT: 0xff,
} as const;

/** Operations of decoded programs, under numbers that no fork uses as an opcode. */
export const DECODED = {
  /** The start of a block that no jump leads to. */
  BEGIN: 0x0c,
  /** Goes on at another place of the program. */
  GOTO: 0x0d,
  /** PUSH and JUMP, and PUSH and JUMPI, before the target is looked up. */
  PUSH_JUMP: 0x0e,
  PUSH_JUMPI: 0x0f,
  /** JUMPI to a known place of the program. */
  GOTO_IF: 0x1f,
} as const;

/** The opcode after one of these is not reached. */
const ENDS: ReadonlySet<number> = new Set([
  OP.STOP,
  OP.JUMP,
  OP.RETURN,
  OP.REVERT,
  OP.INVALID,
  OP.SELFDESTRUCT,
]);

/** These read or forward the remaining gas, or jump, so gas for the opcodes after them must not be charged in advance. */
const PARTS: ReadonlySet<number> = new Set([
  ...[OP.JUMPI, OP.GAS, OP.SSTORE, OP.CREATE, OP.CREATE2],
  ...[OP.CALL, OP.CALLCODE, OP.DELEGATECALL, OP.STATICCALL],
]);

/** Whether the opcode ends a run of opcodes: the next one is reached by a jump only. */
export function endsRun(op: number): boolean {
  return ENDS.has(op);
}

/** Whether the opcode is the last of its block. */
export function endsBlock(op: number): boolean {
  return ENDS.has(op) || PARTS.has(op);
}

/** Bytes that follow the opcode as its operand. */
export function immediateSize(op: number): number {
  return op >= OP.PUSH1 && op <= OP.PUSH32 ? op - OP.PUSH0 : 0;
}
