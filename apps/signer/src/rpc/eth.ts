import type { ethMethods } from '@tetrad/api-signer';
import type { Handlers } from '@tetrad/rpc';
import type { PublicSender } from '@tetrad/signer-transactions';

/** Methods that the proxy answers itself; `eth_sign` and `eea_sendTransaction` follow. */
type Served = 'eth_accounts' | 'eth_sendTransaction';

export function ethHandlers(sender: PublicSender): Handlers<Pick<typeof ethMethods, Served>> {
  return {
    eth_accounts: () => [...sender.accounts()],
    eth_sendTransaction: ([request]) => sender.send(request),
  };
}
