import { ORDINARY_REFUSALS } from './ordinary-refusals.js';

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
 * Codes that clients of the coin network's wallet signers know: a bad address and a key that is not held are -32700
 * there, what contradicts itself is -32603 (docs/adr/0015-wallet-dialect.md).
 */
export const COIN_REFUSAL_CODES: Readonly<Record<string, number>> = {
  INVALID_COIN_ADDRESS: -32700,
  NO_KEYS_FOR_ADDRESS: -32700,
  INVALID_COIN_MESSAGE: -32602,
  SIGNATURE_TYPE_MISMATCH: -32603,
  MESSAGE_META_MISMATCH: -32603,
  DAMAGED_KEY: -32603,
};

/** Refusals without an entry below: what Ethereum clients use for "understood, but no". */
export const DEFAULT_REFUSAL_CODE = -32000;

/**
 * Refusal reason → code (docs/adr/0003-error-codes.md).
 *
 * Clients should test the reason; the codes are those that Ethereum clients know from EIP-1474 and geth.
 */
export const REFUSAL_CODES: Readonly<Record<string, number>> = {
  // Something that was asked for is not there (EIP-1474: resource not found).
  BLOCK_NOT_FOUND: -32001,
  TRANSACTION_NOT_FOUND: -32001,
  FILTER_NOT_FOUND: -32001,
  SUBSCRIPTION_NOT_FOUND: -32001,
  STATE_NOT_AVAILABLE: -32001,
  // Something this service needs is away for the moment (EIP-1474: resource unavailable).
  RESOURCE_UNAVAILABLE: -32002,
  DATABASE_UNAVAILABLE: -32002,
  REQUEST_TIMEOUT: -32002,
  TRANSACTION_MANAGER_UNAVAILABLE: -32002,
  IDEMPOTENCY_KEY_IN_FLIGHT: -32002,
  // The method exists but is not for this caller.
  FORBIDDEN: -32004,
  // Too much at once (EIP-1474: limit exceeded).
  RATE_LIMITED: -32005,
  POLICY_RATE_EXCEEDED: -32005,
  LOG_LIMIT_EXCEEDED: -32005,
  TOO_MANY_FILTERS: -32005,
  TOO_MANY_CANDIDATES: -32005,
  TOO_MANY_SUBSCRIPTIONS: -32005,
  TOO_MANY_CONCURRENT_REQUESTS: -32005,
  VAULT_CHANGED: -32002,
  ...COIN_REFUSAL_CODES,
  // Everything else.
  ...Object.fromEntries(ORDINARY_REFUSALS.map((reason) => [reason, DEFAULT_REFUSAL_CODE])),
};

/** The code under which a refusal travels. */
export function refusalCode(reason: string): number {
  // Not of the prototype: reasons may come from another service.
  return Object.hasOwn(REFUSAL_CODES, reason) ? (REFUSAL_CODES[reason] as number) : DEFAULT_REFUSAL_CODE;
}
