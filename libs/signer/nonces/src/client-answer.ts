import { ForwardedError } from '@tetrad/rpc';
import { RequestError } from '@tetrad/types';

/**
 * What a failed submission says about the bytes:
 *
 * known         — the client has them already
 * nonce-too-low — another transaction with the nonce, or these bytes, are in a block
 * underpriced   — another transaction with the nonce is in the pool
 * nonce-too-high— the client does not queue, and a lower nonce is missing
 * refused       — the client rejects them
 * unsent        — they were never sent
 * doubtful      — unknown
 */
export type Verdict =
  'known' | 'nonce-too-low' | 'underpriced' | 'nonce-too-high' | 'refused' | 'unsent' | 'doubtful';

/**
 * Beginnings of error messages, in lower case, because codes are shared: -32000 alone has seven meanings.
 *
 * Sources: docs/spec/signing-proxy.md#errors and #nonces (Besu); geth core/txpool/errors.go and core/error.go; OpenEthereum
 * and Hardhat for the variants
 */
const TEXTS: readonly (readonly [Verdict, readonly string[]])[] = [
  ['known', ['already known', 'known transaction', 'transaction with the same hash was already imported']],
  ['nonce-too-low', ['nonce too low', 'transaction nonce is too low']],
  ['underpriced', ['replacement transaction underpriced']],
  [
    'nonce-too-high',
    ['nonce too high', 'incorrect nonce', 'nonce gap', 'transaction nonce is too distant', 'gapped-nonce'],
  ],
];

/** Errors after which the client may still have taken the bytes: internal error, resource unavailable. */
const DOUBTFUL_CODES = new Set([-32603, -32002]);

/** Reads the failure of a submission. */
export function readVerdict(error: unknown): Verdict {
  if (error instanceof ForwardedError) return readForwarded(error);
  // The downstream client says so when no connection could be made at all.
  return error instanceof RequestError && error.data['sent'] === false ? 'unsent' : 'doubtful';
}

function readForwarded({ error: { code, message } }: ForwardedError): Verdict {
  const text = message.trim().toLowerCase();
  const found = TEXTS.find(([, beginnings]) => beginnings.some((beginning) => text.startsWith(beginning)));
  if (found !== undefined) return found[0];
  return DOUBTFUL_CODES.has(code) || /\btimed? ?out\b/.test(text) ? 'doubtful' : 'refused';
}

/** Besu's error for a transaction that it already has, after which EthSigner used another nonce (SP-48). */
export function isKnownTransactionOfBesu(error: unknown): boolean {
  return (
    error instanceof ForwardedError && error.message.trim().toLowerCase().startsWith('known transaction')
  );
}
