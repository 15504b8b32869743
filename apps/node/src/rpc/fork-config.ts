import type { ForkView, ethForkConfigMethods } from '@tetrad/api-node';
import { describeForks, type ForkDescription } from '@tetrad/node-execution';
import type { Handlers } from '@tetrad/rpc';
import { ZERO_HASH } from '@tetrad/types';
import type { NodeParts } from './node-parts.js';

export function forkConfigHandlers({
  ledger,
}: Pick<NodeParts, 'ledger'>): Handlers<typeof ethForkConfigMethods> {
  const { genesis } = ledger;
  return {
    async eth_config() {
      const { header } = ledger.head();
      const point = { number: header.number, timestamp: ledger.secondsOf(header) };
      const genesisHash = (await ledger.findBlock(0))?.hash ?? ZERO_HASH;
      const { current, next, last } = describeForks(genesis, genesisHash, point);
      const view = (fork: ForkDescription): ForkView => ({
        ...fork,
        chainId: genesis.chainId,
        precompiles: { ...fork.precompiles },
        // The chain runs no system contracts before or after blocks (docs/adr/0006).
        systemContracts: {},
      });
      return {
        current: view(current),
        next: next === undefined ? null : view(next),
        last: last === undefined ? null : view(last),
      };
    },
  };
}
