import type { Tolerance } from '@tetrad/rpc';

/** Beyond 2^53 it stays text, which is not an integer. */
function integerFromText(value: unknown): unknown {
  if (typeof value !== 'string' || !/^(?:0x[0-9a-fA-F]{1,14}|[0-9]{1,16})$/.test(value)) return value;
  const integer = Number(value);
  return Number.isSafeInteger(integer) ? integer : value;
}

/** Hex or decimal text where an integer is declared. */
export function textForInteger(...indexes: readonly number[]): Tolerance {
  return {
    what: 'hex or decimal text where an integer is declared',
    source: 'interface document, "Rollup operator interface"',
    normalize: (params) =>
      params.map((value, index) => (indexes.includes(index) ? integerFromText(value) : value)),
  };
}

/** An account id before the operation hash, which says all there is to say. */
export const ACCOUNT_ID_BEFORE_HASH: Tolerance = {
  what: 'an account id before the operation hash',
  source: 'interface document, "Rollup operator interface": sample requests pass one',
  normalize: (params) => (params.length === 2 && typeof params[1] === 'string' ? params.slice(1) : params),
};

/** The declared type of an operation hash and of an Ethereum address is integer; hex text is what is sent. */
export const HASH_AS_HEX: Tolerance = {
  what: 'hex text where the document declares an integer of 20 or 32 bytes',
  source: 'interface document, "Rollup operator interface": declared integer, hex string in practice',
  normalize: (params) => params,
};
