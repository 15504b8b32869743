import { relative } from 'node:path';
import { formatSettings } from '@tetrad/service/settings-table';
import { adoptNode, takeChain } from '../adopt/adopt-node.js';
import { describeChain } from '../adopt/describe-chain.js';
import { parseAdoptOptions } from '../adopt/adopt-options.js';
import { writeAdopted } from '../adopt/write-adopted.js';
import { parseHandoverOptions } from '../handover/handover-options.js';
import { checkHandover, describeVerdict } from '../handover/handover.js';
import { parseNewNetworkOptions, type NewNetworkOptions } from '../new-network/new-network-options.js';
import type { WrittenNode } from '../new-network/write-node-folder.js';
import { writeNetwork } from '../new-network/write-network.js';
import { UsageError } from '@tetrad/devnet/usage-error';

/** `network new`: writes the files of a new network, and prints how to start it. Other words are other commands. */
export async function network(args: readonly string[]): Promise<number> {
  const [word, ...rest] = args;
  if (word === 'adopt') return adopt(rest);
  if (word === 'handover') return handover(rest);
  if (word !== 'new')
    throw new UsageError(`network: unknown command ${word ?? ''}; network new creates a network, see --help`);
  const options = parseNewNetworkOptions(rest);
  const nodes = await writeNetwork(options);
  const dir = relative(process.cwd(), options.dir) || '.';
  const { consensus, chainId, members } = options;
  const validators = nodes.length - members;
  console.log(`${dir}: ${consensus}, ${validators} validator(s), ${members} member(s), chain id ${chainId}`);
  for (const [index, node] of nodes.entries()) console.log(describe(node, index < validators));
  console.log(`\n${nextSteps(options)}`);
  return 0;
}

/** `network adopt`: writes a node folder with the identity of a GoQuorum node, and prints what became of its settings. */
async function adopt(args: readonly string[]): Promise<number> {
  const options = await parseAdoptOptions(args);
  const { conversion, node, genesisFile } = await adoptNode(options);
  takeChain(await describeChain(genesisFile), options, conversion);
  if (options.out !== undefined && !options.dryRun) await writeAdopted(options.out, conversion);
  console.log(formatSettings(conversion.rows));
  console.log(`\nnode ${node.address}, id ${node.nodeId}`);
  return 0;
}

/**
 * `network handover`: says whether the old nodes stand still.
 * @returns 0 when they do, 1 otherwise
 */
async function handover(args: readonly string[]): Promise<number> {
  const verdict = await checkHandover(parseHandoverOptions(args), console.log);
  console.log(describeVerdict(verdict));
  return verdict.safe ? 0 : 1;
}

function nextSteps({ nodes, hasPrivacy, permissioned, databaseUrl }: NewNetworkOptions): string {
  if (nodes !== undefined) return 'Give genesis.json and static-nodes.json to all of them.';
  return [
    ...(databaseUrl === undefined
      ? []
      : [
          'Create the databases, once, as an administrator: psql --file databases.sql URL. The file is a secret.',
        ]),
    'Take each folder to its host and start its node there, in the folder:',
    ...(hasPrivacy ? ['  tetrad transaction-manager serve --config-file manager.toml'] : []),
    '  tetrad node --config-file node.toml',
    'The keys in it are secrets: with the nodekey, another host can act as the node.',
    ...(permissioned
      ? [
          'Once the nodes run, deploy the permission contracts in the folder of node0, and see docs/how-to/new-network.md:',
          '  tetrad node deploy-permissions --config-file permissions.toml',
        ]
      : []),
  ].join('\n');
}

function describe(
  { name, address, enode, ports, account, managerKey }: WrittenNode,
  isValidator: boolean,
): string {
  return [
    `${name}  ${address}${isValidator ? '' : '  member'}`,
    `       ${enode}`,
    ...(ports === undefined ? [] : [`       http://127.0.0.1:${ports.rpc} on its host`]),
    ...(account === undefined ? [] : [`       signs for ${account}`]),
    ...(managerKey === undefined ? [] : [`       manager's public key ${managerKey}`]),
  ].join('\n');
}
