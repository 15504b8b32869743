import { describe, expect, it } from '@jest/globals';
import {
  COIN_ERROR_CODES,
  FRAMING_CODES,
  REQUEST_ERROR_CODES,
  SIMULATION_ERROR_CODES,
  requestErrorCode,
} from './error-codes.js';
import { ORDINARY_ERRORS } from './ordinary-errors.js';

describe('the codes of errors', () => {
  it('lie in the range that JSON-RPC leaves to servers, apart from those of framing', () => {
    for (const [reason, code] of Object.entries(REQUEST_ERROR_CODES)) {
      expect(reason).toMatch(/^[A-Z][A-Z0-9_]*$/);
      if (reason in COIN_ERROR_CODES || reason in SIMULATION_ERROR_CODES) continue;
      if (['INVALID_LOG_RANGE', 'INVALID_TRACE_RANGE', 'TRANSFER_AMOUNT_TOO_LOW'].includes(reason)) continue;
      expect(code).toBeGreaterThanOrEqual(-32099);
      expect(code).toBeLessThanOrEqual(-32000);
      expect(Object.keys(FRAMING_CODES)).not.toContain(reason);
    }
  });

  it('are the specification’s own only where wallet signers of the coin network, or geth, give those, or earlier clients of the rollup know them', () => {
    expect(requestErrorCode('TRANSFER_AMOUNT_TOO_LOW')).toBe(FRAMING_CODES.INVALID_PARAMS);
    expect(requestErrorCode('INVALID_LOG_RANGE')).toBe(FRAMING_CODES.INVALID_PARAMS);
    expect(requestErrorCode('INVALID_COIN_ADDRESS')).toBe(FRAMING_CODES.PARSE_ERROR);
    expect(requestErrorCode('NO_KEYS_FOR_ADDRESS')).toBe(FRAMING_CODES.PARSE_ERROR);
    for (const code of Object.values(COIN_ERROR_CODES)) expect(Object.values(FRAMING_CODES)).toContain(code);
  });

  it('are those of EIP-1474 where it has a name for the case', () => {
    expect(requestErrorCode('RESOURCE_UNAVAILABLE')).toBe(-32002);
    expect(requestErrorCode('RATE_LIMITED')).toBe(-32005);
    expect(requestErrorCode('NONCE_TOO_LOW')).toBe(-32000);
  });

  it.each(['BLOCK_NOT_FOUND', 'TRANSACTION_NOT_FOUND', 'FILTER_NOT_FOUND', 'STATE_NOT_AVAILABLE'])(
    'are what clients of geth act on: %s is -32000',
    (reason) => {
      expect(requestErrorCode(reason)).toBe(-32000);
    },
  );

  it('are -32000 for reasons that the table lacks, whatever their name', () => {
    expect(requestErrorCode('NEVER_HEARD_OF')).toBe(-32000);
    expect(requestErrorCode('toString')).toBe(-32000);
  });

  it('are given once', () => {
    expect(new Set(ORDINARY_ERRORS).size).toBe(ORDINARY_ERRORS.length);
    expect(ORDINARY_ERRORS.filter((reason) => REQUEST_ERROR_CODES[reason] !== -32000)).toEqual([]);
  });
});
