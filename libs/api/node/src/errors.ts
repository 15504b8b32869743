/** Reasons that several methods of the node share; each is a key of the table in libs/rpc. */

/** With which reasons an account of the node may be refused. */
export const ACCOUNT_ERRORS = [
  'UNKNOWN_ACCOUNT',
  'ACCOUNT_LOCKED',
  'NO_DEFAULT_ACCOUNT',
  'KEY_UNAVAILABLE',
] as const;

/** With which reasons the pool may refuse a transaction that could be read. */
export const POOL_ERRORS = [
  'NONCE_TOO_LOW',
  'ALREADY_KNOWN',
  'REPLACEMENT_UNDERPRICED',
  'UNDERPRICED',
  'INSUFFICIENT_FUNDS',
  'INTRINSIC_GAS_TOO_LOW',
  'GAS_LIMIT_EXCEEDED',
  'INIT_CODE_TOO_LARGE',
  'OVERSIZED_DATA',
  'FEE_CAP_TOO_LOW',
  'GAS_PRICE_NOT_ZERO',
  'TIP_ABOVE_FEE_CAP',
  'TYPE_NOT_ACTIVE',
  'SENDER_NOT_EOA',
  'PRIVATE_VALUE_NOT_SUPPORTED',
  'INVALID_PAYLOAD_HASH',
  'POOL_FULL',
  'ACCOUNT_LIMIT_EXCEEDED',
  'ACCOUNT_NOT_PERMITTED',
  'NODE_NOT_PERMITTED',
] as const;

/** With which reasons the bytes of a signed transaction are refused before the pool sees them. */
export const DECODE_ERRORS = [
  'MALFORMED_TRANSACTION',
  'UNSUPPORTED_TRANSACTION_TYPE',
  'INVALID_CHAIN_ID',
  'INVALID_SIGNATURE',
] as const;

/** With which reasons a private transaction may be refused before it is distributed. */
export const PRIVACY_ERRORS = [
  'PRIVACY_NOT_AVAILABLE',
  'INVALID_PRIVACY_FLAG',
  'PRIVACY_ENHANCEMENTS_DISABLED',
  'MANDATORY_RECIPIENTS_MISSING',
  'MANDATORY_RECIPIENTS_NOT_APPLICABLE',
  'CONTRACT_NOT_FOUND',
  'NO_PRIVACY_METADATA',
  'PRIVACY_FLAG_MISMATCH',
  'PARTIES_LEFT_OUT',
  'PRIVATE_STATE_NOT_AVAILABLE',
  'NOT_A_PRIVATE_TRANSACTION',
  'TRANSACTION_MANAGER_REFUSED',
  'TRANSACTION_MANAGER_UNAVAILABLE',
] as const;

/** With which reasons a read of the state at a block may be refused. */
export const STATE_ERRORS = ['BLOCK_NOT_FOUND', 'STATE_NOT_AVAILABLE'] as const;

/** With which reasons a read of an account, which may be a private one, may be refused. */
export const ACCOUNT_STATE_ERRORS = [...STATE_ERRORS, 'PRIVATE_STATE_NOT_AVAILABLE'] as const;

/** With which reasons a simulated execution may be refused; a revert is code 3 with its data instead. */
export const EXECUTION_ERRORS = [
  ...ACCOUNT_STATE_ERRORS,
  'EXECUTION_FAILED',
  'EXECUTION_TIMEOUT',
  'RESPONSE_TOO_LARGE',
  'TOO_MANY_CONCURRENT_REQUESTS',
  'INSUFFICIENT_FUNDS',
  'INTRINSIC_GAS_TOO_LOW',
  'FEE_CAP_TOO_LOW',
  'TIP_ABOVE_FEE_CAP',
] as const;
