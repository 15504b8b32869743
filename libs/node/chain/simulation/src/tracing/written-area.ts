import type { Word } from '@tetrad/node-evm';
import { OP } from './opcodes.js';

/** A part of a memory. */
export interface Area {
  readonly offset: number;
  readonly size: number;
}

/** Where on the stack an opcode has its offset and size; a number of bytes that is always the same instead of the latter. */
interface Places {
  readonly offset: number;
  readonly size?: number;
  readonly bytes?: number;
}

const COPY: Places = { offset: 0, size: 2 };
const WORD: Places = { offset: 0, bytes: 32 };
const CALL: Places = { offset: 5, size: 6 };
const CALL_WITHOUT_VALUE: Places = { offset: 4, size: 5 };

const PLACES: ReadonlyMap<number, Places> = new Map([
  // CALLDATACOPY, CODECOPY, RETURNDATACOPY, MCOPY
  [0x37, COPY],
  [0x39, COPY],
  [0x3e, COPY],
  [0x5e, COPY],
  // EXTCODECOPY
  [0x3c, { offset: 1, size: 3 }],
  // MLOAD, MSTORE, MSTORE8
  [0x51, WORD],
  [0x52, WORD],
  [0x53, { offset: 0, bytes: 1 }],
  [OP.CALL, CALL],
  [OP.CALLCODE, CALL],
  [OP.DELEGATECALL, CALL_WITHOUT_VALUE],
  [OP.STATICCALL, CALL_WITHOUT_VALUE],
]);

/**
 * The part of the memory that `vmTrace` shows after an opcode: what it wrote, what MLOAD read, and where a call puts its output.
 * Source: OpenEthereum, `mem_written` of ethcore/evm
 * @param peek - words of the stack before the opcode, 0 for the top
 * @returns undefined for other opcodes, for an empty part, and for one that no memory is large enough for
 */
export function writtenArea(op: number, peek: (at: number) => Word): Area | undefined {
  const places = PLACES.get(op);
  if (places === undefined) return undefined;
  const offset = peek(places.offset);
  const size = places.size === undefined ? places.bytes : peek(places.size);
  if (typeof offset !== 'number' || typeof size !== 'number' || size === 0) return undefined;
  return { offset, size };
}
