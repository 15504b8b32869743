import { EthereumClient } from '@tetrad/rollup-chain';
import { OptionError, TokenFile } from '@tetrad/service';
import { systemClock, type Logger } from '@tetrad/types';
import type { ChainConfig } from './chain-options.js';

/**
 * The Ethereum client of the options.
 * @throws OptionError without one
 */
export function openChain(
  config: Pick<ChainConfig, 'chainUrl' | 'chainTokenFile' | 'chainRequestTimeout'>,
  logger: Logger,
): EthereumClient {
  const { chainUrl, chainTokenFile: path, chainRequestTimeout } = config;
  if (chainUrl === undefined) throw new OptionError('--chain-url', 'is required to reach the chain');
  const target = { url: chainUrl.href, timeoutMs: chainRequestTimeout };
  if (path === undefined) return new EthereumClient(target);
  const token = new TokenFile({ path, flag: '--chain-token-file', logger, clock: systemClock });
  return new EthereumClient({ ...target, headers: () => token.headers() });
}
