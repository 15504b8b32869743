import { resolve } from 'node:path';
import { parseNetworkOptions } from '../network/network-options.js';
import { startNetwork, type Network } from '../network/network.js';
import { describeNetwork } from './describe-network.js';
import { aborted, exitCodeOf, listenForInterruption } from './interruption.js';
import { sayProgress } from './say-progress.js';

/** Starts a network, prints its addresses, watches it, and stops it at Ctrl-C. */
export async function up(args: readonly string[]): Promise<number> {
  const options = parseNetworkOptions(args);
  const interrupted = listenForInterruption();
  const parts = [
    `${options.nodes} ${options.consensus === 'raft' ? 'members' : 'validators'} (${options.consensus})`,
    ...options.services.filter((name) => name !== 'node'),
  ];
  console.log(`starting a network of ${parts.join(', ')} in ${resolve(options.dataDir)}`);
  const allEnded = new AbortController();
  let network: Network | undefined;
  try {
    network = await startNetwork(options, {
      onProgress: sayProgress(),
      onLeftOut(service, error) {
        console.error(`${service} is left out: ${error.message}`);
        console.error('  the rest goes on; stop it and start it again to try once more');
      },
      signal: interrupted,
      onEnded(service, how) {
        if (interrupted.aborted) return;
        console.error(`${service} ${how}`);
        console.error(`  its log: ${resolve(options.dataDir)}/${logOf(service)}`);
        if (network === undefined || network.nodes.some(({ isRunning }) => isRunning)) return;
        if (network.processes.every(({ isRunning }) => !isRunning)) allEnded.abort();
        else console.error('no node is left; the other services go on, and Ctrl-C stops them');
      },
    });
  } catch (error) {
    // At a terminal Ctrl-C reaches the services as well: later failures are caused by it.
    if (!interrupted.aborted) throw error;
    console.log('interrupted; what had been started is stopped');
    return exitCodeOf(interrupted);
  }
  console.log(`\n${describeNetwork(network.endpoints, options)}\n`);
  console.log('ready; Ctrl-C stops it');
  await aborted(AbortSignal.any([interrupted, allEnded.signal]));
  console.log(interrupted.aborted ? 'stopping' : 'nothing is left of it: stopping');
  await network.stop();
  console.log(`stopped; ./tetrad up on ${resolve(options.dataDir)} goes on from here`);
  return interrupted.aborted ? 0 : 1;
}

/** The embedded server keeps its log with its data. */
function logOf(service: string): string {
  return service === 'postgres' ? 'postgres/postgres.log' : `${service}.log`;
}
