import { consoleService } from './console.js';
import type { NetworkFiles } from './network-files.js';
import type { NetworkOptions } from './network-options.js';
import type { NetworkService } from './network-service.js';
import { nodeService } from './node-service.js';
import { rollupOperatorService } from './rollup-operator.js';
import type { NetworkServiceName } from './service-names.js';
import { signerService } from './signer.js';
import { managerService } from './transaction-manager.js';
import { walletService } from './wallet.js';

/** How each service of a network is started and described; `NETWORK_SERVICES` has their order. */
export const networkServices: Readonly<Record<NetworkServiceName, NetworkService>> = {
  'transaction-manager': managerService,
  node: nodeService,
  signer: signerService,
  wallet: walletService,
  'rollup-operator': rollupOperatorService,
  console: consoleService,
};

/** Databases of the services of a network, in the order in which those start. */
export function databaseNames(options: NetworkOptions): string[] {
  return options.services.flatMap((service) => networkServices[service].databases(options));
}

/** Has each service of a network make the keys that it lacks. */
export async function prepareServices({ services }: NetworkOptions, files: NetworkFiles): Promise<void> {
  await Promise.all(services.map((service) => networkServices[service].prepare?.(files)));
}
