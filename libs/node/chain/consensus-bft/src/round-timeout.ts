import type { HeaderFormat } from './messages/proposed-block.js';

/** Longest round on chains that set no cap: nodes that come back must not wait for hours (docs/adr/0032). */
const DEFAULT_MAX_TIMEOUT_MS = 60_000;

/**
 * How long a round may take.
 *
 * QBFT: request time-out · 2^round. IBFT: request time-out, plus 2^round seconds above round 0. Both up to the cap.
 *
 * Units: ms
 * Source: docs/spec/bft.md#rounds
 *
 * @param settings.maxRequestTimeoutMs - 0 when the chain sets none
 */
export function roundTimeoutMs(
  settings: {
    readonly format: HeaderFormat;
    readonly requestTimeoutMs: number;
    readonly maxRequestTimeoutMs: number;
  },
  round: number,
): number {
  const { format, requestTimeoutMs, maxRequestTimeoutMs } = settings;
  // The default cap must not cut a request time-out that is configured.
  const cap =
    maxRequestTimeoutMs > 0 ? maxRequestTimeoutMs : Math.max(DEFAULT_MAX_TIMEOUT_MS, requestTimeoutMs);
  const growth = 2 ** Math.min(round, 40);
  const wanted =
    format === 'qbft' ? requestTimeoutMs * growth : requestTimeoutMs + (round === 0 ? 0 : growth * 1000);
  return Math.min(wanted, cap);
}
