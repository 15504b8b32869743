import { parseArgs } from 'node:util';
import { readInteger } from '@tetrad/devnet/network/option-values';
import { UsageError } from '@tetrad/devnet/usage-error';

/** The settings of `network handover`. */
export interface HandoverOptions {
  readonly urls: readonly URL[];
  /** Between the two rounds of requests. */
  readonly pauseMs: number;
  /** For each answer. */
  readonly timeoutMs: number;
}

/** The help of `network handover`. */
export const HANDOVER_HELP = `network handover --check URL…: asks all nodes of the old network, twice, whether they stand at one block with empty
pools, and says when the new network can go on from the next block. The exit code is 0 then, and 1 otherwise.

  --check                 required: nothing is done but to ask
  URL…                    the JSON-RPC address of every old node, with the namespaces eth, net and txpool
  --pause MS              time between the two rounds, longer than a block period (default: 15000)
  --timeout MS            time limit for each answer (default: 5000)`;

/** Far more nodes than a network has whose operators can be asked at one time. */
const MAX_URLS = 200;

/**
 * Reads the command line after `network handover`.
 * @throws UsageError naming the option
 */
export function parseHandoverOptions(args: readonly string[]): HandoverOptions {
  const { values, positionals } = parse(args);
  if (values.check !== true) throw new UsageError('network handover needs --check; it changes nothing');
  if (positionals.length === 0)
    throw new UsageError('network handover --check needs the URLs of all old nodes');
  if (positionals.length > MAX_URLS) throw new UsageError(`more than ${MAX_URLS} URLs`);
  const urls = positionals.map(parseUrl);
  const seen = new Set<string>();
  for (const { href } of urls) {
    if (seen.has(href)) throw new UsageError(`duplicate URL ${href}`);
    seen.add(href);
  }
  return {
    urls,
    pauseMs: readInteger('--pause', values.pause ?? '15000', { min: 1, max: 3_600_000 }),
    timeoutMs: readInteger('--timeout', values.timeout ?? '5000', { min: 1, max: 600_000 }),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { check: { type: 'boolean' }, pause: { type: 'string' }, timeout: { type: 'string' } },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && ['http:', 'https:'].includes(url.protocol)) return url;
  throw new UsageError(`${text} is not an http or https URL`);
}
