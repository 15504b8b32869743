import { writeEndpointsFile } from '../network/endpoints.js';
import { parseNetworkOptions } from '../network/network-options.js';
import { startNetwork } from '../network/network.js';

/** Starts a network, says where it is, and stops it at Ctrl-C. */
export async function up(args: readonly string[]): Promise<number> {
  const options = parseNetworkOptions(args);
  const asked = new Promise<void>((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done());
  });
  console.log(`starting a network in ${options.dataDir}`);
  const network = await startNetwork(options);
  const { nodes, signer, wallet, chainId } = network.endpoints;
  if (options.endpointsFile !== undefined) await writeEndpointsFile(options.endpointsFile, network.endpoints);
  console.log(`chain id  ${chainId}`);
  for (const { name, rpc } of nodes) console.log(`${name}     ${rpc}`);
  if (signer !== null) console.log(`signer    ${signer.rpc}`);
  if (wallet !== null) console.log(`wallet    ${wallet.rpc}${wallet.path}`);
  console.log('ready; Ctrl-C stops it');
  await asked;
  console.log('stopping');
  await network.stop();
  return 0;
}
