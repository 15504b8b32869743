/** Code of contracts that fail, call and create in every way that a trace shows. */

/** Returns the word 42. */
export const ANSWERS = '602a5f5260205ff3';

/** Reverts with the word 42. */
export const REVERTS = '602a5f5260205ffd';

export const INVALID = 'fe';
export const LOOPS = '5b5f56';
export const JUMPS_ASTRAY = '600556';

/** Gives its wei to 0xabab… */
export const DESTROYS = `73${'ab'.repeat(20)}ff`;

/** Stores the word of its input at slot 1. */
export const STORES = '5f35600155';

/** CREATE and CREATE2 of nothing, and CREATE2 of what reverts. */
export const CREATES = `5f5f5ff0505f5f5f5ff55067${REVERTS}5f526008601860` + '00f000';

/** Creation of a contract with the code. */
export function initCodeOf(code: string): string {
  const length = (code.length / 2).toString(16).padStart(4, '0');
  // PUSH2 length, DUP1, PUSH1 offset of the code, PUSH0, CODECOPY, PUSH0, RETURN
  return `0x61${length}80600a5f395ff3${code}`;
}

const OPCODES = { call: 'f1', callcode: 'f2', delegatecall: 'f4', staticcall: 'fa' } as const;

/** A call with 0xffff gas and no data, whose result is dropped. */
export function callOf(kind: keyof typeof OPCODES, to: string, wei = 0): string {
  const hasValue = kind === 'call' || kind === 'callcode';
  const value = wei === 0 ? '5f' : `60${wei.toString(16).padStart(2, '0')}`;
  return `5f5f5f5f${hasValue ? value : ''}73${to.slice(2)}61ffff${OPCODES[kind]}50`;
}

/** The address of a precompile. */
export function precompile(number: number): string {
  return `0x${number.toString(16).padStart(40, '0')}`;
}
