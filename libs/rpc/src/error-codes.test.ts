import { describe, expect, it } from '@jest/globals';
import {
  COIN_REFUSAL_CODES,
  FRAMING_CODES,
  REFUSAL_CODES,
  SIMULATION_REFUSAL_CODES,
  refusalCode,
} from './error-codes.js';
import { ORDINARY_REFUSALS } from './ordinary-refusals.js';

describe('the codes of refusals', () => {
  it('lie in the range that JSON-RPC leaves to servers, apart from those of framing', () => {
    for (const [reason, code] of Object.entries(REFUSAL_CODES)) {
      expect(reason).toMatch(/^[A-Z][A-Z0-9_]*$/);
      if (reason in COIN_REFUSAL_CODES || reason in SIMULATION_REFUSAL_CODES) continue;
      if (reason === 'INVALID_LOG_RANGE') continue;
      expect(code).toBeGreaterThanOrEqual(-32099);
      expect(code).toBeLessThanOrEqual(-32000);
      expect(Object.keys(FRAMING_CODES)).not.toContain(reason);
    }
  });

  it('are the specification’s own only where wallet signers of the coin network, or geth, give those', () => {
    expect(refusalCode('INVALID_LOG_RANGE')).toBe(FRAMING_CODES.INVALID_PARAMS);
    expect(refusalCode('INVALID_COIN_ADDRESS')).toBe(FRAMING_CODES.PARSE_ERROR);
    expect(refusalCode('NO_KEYS_FOR_ADDRESS')).toBe(FRAMING_CODES.PARSE_ERROR);
    for (const code of Object.values(COIN_REFUSAL_CODES))
      expect(Object.values(FRAMING_CODES)).toContain(code);
  });

  it('are those of EIP-1474 where it has a name for the case', () => {
    expect(refusalCode('RESOURCE_UNAVAILABLE')).toBe(-32002);
    expect(refusalCode('RATE_LIMITED')).toBe(-32005);
    expect(refusalCode('NONCE_TOO_LOW')).toBe(-32000);
  });

  it.each(['BLOCK_NOT_FOUND', 'TRANSACTION_NOT_FOUND', 'FILTER_NOT_FOUND', 'STATE_NOT_AVAILABLE'])(
    'are what clients of geth act on: %s is -32000',
    (reason) => {
      expect(refusalCode(reason)).toBe(-32000);
    },
  );

  it('are -32000 for reasons that the table lacks, whatever their name', () => {
    expect(refusalCode('NEVER_HEARD_OF')).toBe(-32000);
    expect(refusalCode('toString')).toBe(-32000);
  });

  it('are given once', () => {
    expect(new Set(ORDINARY_REFUSALS).size).toBe(ORDINARY_REFUSALS.length);
    expect(ORDINARY_REFUSALS.filter((reason) => REFUSAL_CODES[reason] !== -32000)).toEqual([]);
  });
});
