import type { Tolerance } from '@tetrad/rpc';
import { hexFromInteger, integerFromHex } from './wire/integer.js';

/** Departures from the documented parameters that several methods share. */

const QUANTITIES = ['value', 'gas', 'gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas', 'nonce', 'chainId'];

const BARE_DATA = /^(?:[0-9a-f]{2})+$/i;

function mapAt(
  params: readonly unknown[],
  indexes: readonly number[],
  change: (value: unknown) => unknown,
): readonly unknown[] {
  return params.map((value, index) => (indexes.includes(index) ? change(value) : value));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON integers for `value`, `gas`, `nonce` and the like in the transaction object at the position. */
export function integersInTransaction(index: number): Tolerance {
  const change = (value: unknown) => {
    if (!isRecord(value)) return value;
    const members = Object.entries(value);
    return Object.fromEntries(
      members.map(([key, member]) => [key, QUANTITIES.includes(key) ? hexFromInteger(member) : member]),
    );
  };
  return {
    what: 'JSON integers where other clients write hex quantities: value, gas, gasPrice, nonce',
    source: 'interface document, "Transaction object": value, gas and nonce are declared numbers',
    normalize: (params) => mapAt(params, [index], change),
  };
}

/** Hex text where an integer is declared. */
export function hexForInteger(source: string, ...indexes: readonly number[]): Tolerance {
  return {
    what: 'hex text where an integer is declared',
    source,
    normalize: (params) => mapAt(params, indexes, integerFromHex),
  };
}

/** A client library's callback that was serialised by mistake: null after the documented parameters. */
export function trailingNullCallback(documented: number): Tolerance {
  return {
    what: 'null in the place of the client-side callback',
    source: 'interface document, "privacy and transactions": callback is a client-side function',
    normalize: (params) =>
      params.length === documented + 1 && params[documented] === null ? params.slice(0, documented) : params,
  };
}

/** JSON integers where hex quantities are documented. */
export function integersAt(source: string, ...indexes: readonly number[]): Tolerance {
  return {
    what: 'a JSON integer where a hex quantity is documented',
    source,
    normalize: (params) => mapAt(params, indexes, hexFromInteger),
  };
}

/** JSON integers where text is declared. */
export function textFromInteger(source: string, ...indexes: readonly number[]): Tolerance {
  const change = (value: unknown) => (Number.isSafeInteger(value) ? String(value) : value);
  return {
    what: 'a JSON integer where text is declared',
    source,
    normalize: (params) => mapAt(params, indexes, change),
  };
}

/** Data as hex digits without `0x`. */
export function bareData(source: string, ...indexes: readonly number[]): Tolerance {
  const change = (value: unknown) =>
    typeof value === 'string' && BARE_DATA.test(value) ? `0x${value}` : value;
  return {
    what: 'data without 0x',
    source,
    normalize: (params) => mapAt(params, indexes, change),
  };
}
