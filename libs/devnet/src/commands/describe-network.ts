import { resolve } from 'node:path';
import type { Endpoints } from '../network/endpoints.js';
import type { NetworkOptions } from '../network/network-options.js';
import type { DescribedRow } from '../network/network-service.js';
import { networkServices } from '../network/service-list.js';

/** How to use the network: its addresses, its funded accounts, and a first request. */
export function describeNetwork(endpoints: Endpoints, options: NetworkOptions): string {
  const { nodes, funded, chainId } = endpoints;
  const folder = resolve(options.dataDir);
  const services = options.services.flatMap((name) => networkServices[name].rows(endpoints));
  const rows: readonly DescribedRow[] = [
    ['chain id', String(chainId)],
    ...services,
    ...funded.map(({ address, privateKey }) => ['funded', `${address}  private key ${privateKey}`] as const),
    ['data', folder],
    ['logs', services.map(([name]) => `${folder}/${name}.log`).join(' ')],
    ...(options.endpointsFile === undefined ? [] : [['endpoints', resolve(options.endpointsFile)] as const]),
  ];
  const width = Math.max(...rows.map(([what]) => what.length));
  return [
    ...rows.map(([what, where]) => `${what.padEnd(width)} ${where}`),
    '',
    'The funded accounts are for development: their keys are public. A first request:',
    `  ${firstRequest(nodes[0]?.rpc ?? '')}`,
  ].join('\n');
}

function firstRequest(url: string): string {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] });
  return `curl -s -H 'Content-Type: application/json' -d '${body}' ${url}`;
}
