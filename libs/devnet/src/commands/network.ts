import { relative } from 'node:path';
import { parseNewNetworkOptions } from '../new-network/new-network-options.js';
import { writeNetwork, type WrittenNode } from '../new-network/write-network.js';
import { UsageError } from '../usage-error.js';

/** `network new`: writes the files of a network of one's own, and says how it is started. */
export async function network(args: readonly string[]): Promise<number> {
  const [word, ...rest] = args;
  if (word !== 'new')
    throw new UsageError(`network: unknown command ${word ?? ''}; network new creates a network, see --help`);
  const options = parseNewNetworkOptions(rest);
  const nodes = await writeNetwork(options);
  const dir = relative(process.cwd(), options.dir) || '.';
  const { consensus, chainId } = options;
  console.log(`${dir}: ${consensus}, ${nodes.length} validator(s), chain id ${chainId}`);
  for (const node of nodes) console.log(describe(node));
  console.log(
    options.nodes === undefined
      ? '\nTake each folder to its host and start its node there, in the folder:\n' +
          '  tetrad node --config-file node.toml\nIts nodekey is a secret: who has it is that validator.'
      : '\nGive genesis.json and static-nodes.json to all of them.',
  );
  return 0;
}

function describe({ name, address, enode, ports, account }: WrittenNode): string {
  return [
    `${name}  ${address}`,
    `       ${enode}`,
    ...(ports === undefined ? [] : [`       http://127.0.0.1:${ports.rpc} on its host`]),
    ...(account === undefined ? [] : [`       signs for ${account}`]),
  ].join('\n');
}
