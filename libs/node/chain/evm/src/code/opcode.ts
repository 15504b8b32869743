/**
 * Opcodes that the decoder and the loops name; the others are in the tables of `opcodes`.
 *
 * An enum, since bundles have its numbers in place of the names, which the loops need to be fast.
 */
export enum OP {
  STOP = 0x00,
  ADD = 0x01,
  MUL = 0x02,
  SUB = 0x03,
  DIV = 0x04,
  MOD = 0x06,
  LT = 0x10,
  GT = 0x11,
  EQ = 0x14,
  ISZERO = 0x15,
  AND = 0x16,
  OR = 0x17,
  SHL = 0x1b,
  SHR = 0x1c,
  POP = 0x50,
  MLOAD = 0x51,
  MSTORE = 0x52,
  SSTORE = 0x55,
  JUMP = 0x56,
  JUMPI = 0x57,
  PC = 0x58,
  GAS = 0x5a,
  JUMPDEST = 0x5b,
  PUSH0 = 0x5f,
  PUSH1 = 0x60,
  PUSH32 = 0x7f,
  DUP1 = 0x80,
  DUP2 = 0x81,
  DUP3 = 0x82,
  DUP4 = 0x83,
  DUP5 = 0x84,
  DUP6 = 0x85,
  DUP7 = 0x86,
  DUP8 = 0x87,
  DUP9 = 0x88,
  DUP10 = 0x89,
  DUP11 = 0x8a,
  DUP12 = 0x8b,
  DUP13 = 0x8c,
  DUP14 = 0x8d,
  DUP15 = 0x8e,
  DUP16 = 0x8f,
  SWAP1 = 0x90,
  SWAP2 = 0x91,
  SWAP3 = 0x92,
  SWAP4 = 0x93,
  SWAP5 = 0x94,
  SWAP6 = 0x95,
  SWAP7 = 0x96,
  SWAP8 = 0x97,
  SWAP9 = 0x98,
  SWAP10 = 0x99,
  SWAP11 = 0x9a,
  SWAP12 = 0x9b,
  SWAP13 = 0x9c,
  SWAP14 = 0x9d,
  SWAP15 = 0x9e,
  SWAP16 = 0x9f,
  CREATE = 0xf0,
  CALL = 0xf1,
  CALLCODE = 0xf2,
  RETURN = 0xf3,
  DELEGATECALL = 0xf4,
  CREATE2 = 0xf5,
  STATICCALL = 0xfa,
  REVERT = 0xfd,
  INVALID = 0xfe,
  SELFDESTRUCT = 0xff,
}

/** Operations of decoded programs, under numbers that no fork uses as an opcode. */
export enum DECODED {
  /** The start of a block that no jump leads to. */
  BEGIN = 0x0c,
  /** Goes on at another place of the program. */
  GOTO = 0x0d,
  /** PUSH and JUMP, and PUSH and JUMPI, before the target is looked up. */
  PUSH_JUMP = 0x0e,
  PUSH_JUMPI = 0x0f,
  /** JUMPI to a known place of the program. */
  GOTO_IF = 0x1f,
}

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
  OP.JUMPI,
  OP.GAS,
  OP.SSTORE,
  OP.CREATE,
  OP.CREATE2,
  OP.CALL,
  OP.CALLCODE,
  OP.DELEGATECALL,
  OP.STATICCALL,
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
