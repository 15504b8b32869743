import { ORDINARY_ERRORS } from './ordinary-errors.js';

/** Codes of the JSON-RPC 2.0 specification; made by this library alone. */
export const FRAMING_CODES = {
  PARSE_ERROR: -32700,
  INVALID_REQUEST: -32600,
  METHOD_NOT_FOUND: -32601,
  INVALID_PARAMS: -32602,
  INTERNAL_ERROR: -32603,
} as const;

/** An EVM revert, as Ethereum clients give it: code 3 with the revert bytes as data. */
export const EXECUTION_REVERTED_CODE = 3;

/**
 * Codes that clients of the coin network's wallet signers know: there, a bad address and an unknown key are -32700,
 * a contradictory request is -32603 (docs/adr/0016).
 */
export const COIN_ERROR_CODES: Readonly<Record<string, number>> = {
  INVALID_COIN_ADDRESS: -32700,
  NO_KEYS_FOR_ADDRESS: -32700,
  INVALID_COIN_MESSAGE: -32602,
  SIGNATURE_TYPE_MISMATCH: -32603,
  MESSAGE_META_MISMATCH: -32603,
  DAMAGED_KEY: -32603,
};

/** Codes of the Ethereum execution API for invalid simulations (eth_simulateV1). */
export const SIMULATION_ERROR_CODES: Readonly<Record<string, number>> = {
  SIMULATION_NONCE_TOO_LOW: -38010,
  SIMULATION_NONCE_TOO_HIGH: -38011,
  SIMULATION_FEE_TOO_LOW: -38012,
  SIMULATION_INTRINSIC_GAS: -38013,
  SIMULATION_INSUFFICIENT_FUNDS: -38014,
  SIMULATION_GAS_LIMIT_REACHED: -38015,
  SIMULATION_BLOCK_NUMBER: -38020,
  SIMULATION_BLOCK_TIMESTAMP: -38021,
  SIMULATION_SENDER_NOT_EOA: -38024,
  SIMULATION_INIT_CODE_TOO_LARGE: -38025,
  SIMULATION_LIMIT_EXCEEDED: -38026,
};

/** Errors without an entry below: Ethereum clients use this code for a request that was understood and rejected. */
const DEFAULT_ERROR_CODE = -32000;

/**
 * Error reason → code (docs/adr/0003-error-codes.md).
 *
 * Clients should test the reason; the codes are those that Ethereum clients know from EIP-1474 and geth.
 */
export const REQUEST_ERROR_CODES: Readonly<Record<string, number>> = {
  // Requests that can never be served; geth answers eth_getLogs so.
  INVALID_LOG_RANGE: FRAMING_CODES.INVALID_PARAMS,
  INVALID_TRACE_RANGE: FRAMING_CODES.INVALID_PARAMS,
  // Clients of earlier versions, which know no minimum of transfers, take this code for a refusal.
  TRANSFER_AMOUNT_TOO_LOW: FRAMING_CODES.INVALID_PARAMS,
  // A dependency of this service is unavailable for the moment (EIP-1474: resource unavailable).
  RESOURCE_UNAVAILABLE: -32002,
  DATABASE_UNAVAILABLE: -32002,
  REQUEST_TIMEOUT: -32002,
  TRANSACTION_MANAGER_UNAVAILABLE: -32002,
  PRIVATE_STATE_NOT_AVAILABLE: -32002,
  ADDRESS_INDEX_NOT_AVAILABLE: -32002,
  IDEMPOTENCY_KEY_IN_FLIGHT: -32002,
  // geth's code for an answer withheld because of its size.
  RESPONSE_TOO_LARGE: -32003,
  // The method exists, but this caller may not use it.
  FORBIDDEN: -32004,
  // Too much at once (EIP-1474: limit exceeded).
  RATE_LIMITED: -32005,
  POLICY_RATE_EXCEEDED: -32005,
  LOG_LIMIT_EXCEEDED: -32005,
  TRACE_LIMIT_EXCEEDED: -32005,
  TOO_MANY_FILTERS: -32005,
  TOO_MANY_CANDIDATES: -32005,
  TOO_MANY_SUBSCRIPTIONS: -32005,
  TOO_MANY_CONCURRENT_REQUESTS: -32005,
  QUOTA_EXCEEDED: -32005,
  QUEUE_FULL: -32005,
  VAULT_CHANGED: -32002,
  ...COIN_ERROR_CODES,
  ...SIMULATION_ERROR_CODES,
  // Everything else.
  ...Object.fromEntries(ORDINARY_ERRORS.map((reason) => [reason, DEFAULT_ERROR_CODE])),
};

/** The code under which an error travels. */
export function requestErrorCode(reason: string): number {
  // Not of the prototype: reasons may come from another service.
  return Object.hasOwn(REQUEST_ERROR_CODES, reason)
    ? (REQUEST_ERROR_CODES[reason] as number)
    : DEFAULT_ERROR_CODE;
}
