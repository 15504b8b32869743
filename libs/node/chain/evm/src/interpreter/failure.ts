/** Why a frame failed. The texts are geth's (core/vm/errors.go), which people search logs and answers for. */
export const FAILURE = {
  reverted: 'execution reverted',
  outOfGas: 'out of gas',
  codeStoreOutOfGas: 'contract creation code storage out of gas',
  maxCodeSize: 'max code size exceeded',
  maxInitCodeSize: 'max initcode size exceeded',
  invalidCode: 'invalid code: must not begin with 0xef',
  invalidJump: 'invalid jump destination',
  returnDataBounds: 'return data out of bounds',
  writeProtection: 'write protection',
  /** How the text begins that names both amounts. */
  intrinsicGas: 'intrinsic gas too low',
  addressCollision: 'contract address collision',
  insufficientBalance: 'insufficient balance for transfer',
  depth: 'max call depth exceeded',
  nonceOverflow: 'nonce uint64 overflow',
  precompile: 'precompiled contract failed',
  /** GoQuorum's, for executions that may read a world and not change it. */
  readOnlyMode: 'VM in read-only mode. Mutating opcode prohibited',
  readOnlyTransfer: 'VM in read-only mode. Value transfer prohibited.',
} as const;

/**
 * @param height - words on the stack
 * @param needed - words that the opcode takes
 */
export function stackUnderflow(height: number, needed: number): string {
  return `stack underflow (${height} <=> ${needed})`;
}

/**
 * @param height - words on the stack
 * @param limit - words that may be there before the opcode
 */
export function stackOverflow(height: number, limit: number): string {
  return `stack limit reached ${height} (${limit})`;
}

/** @param name - of an opcode that the fork does not have; undefined for a number without an opcode */
export function invalidOpcode(op: number, name?: string): string {
  return `invalid opcode: ${name ?? `opcode 0x${op.toString(16)} not defined`}`;
}
