import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '@tetrad/files';
import { askProgram } from './ask-program.js';
import { enrolMembers } from './members.js';
import { FUNDED_ACCOUNTS } from './network-files.js';
import type { NetworkNode } from './network-node.js';
import type { NetworkOptions } from './network-options.js';
import type { NetworkBase, StartOptions } from './network-service.js';
import { PERMISSION_CONFIG } from './node-files.js';
import { tryAgain } from './try-again.js';

/**
 * Enables permissions on running nodes, and makes the accounts of a development network members. The first time contracts
 * are deployed, and nodes are restarted; an interrupted run is continued by the next.
 * @throws Error with the message of the node's command; with the reason of the signal
 */
export async function permitNodes(
  nodes: readonly NetworkNode[],
  { options, files }: NetworkBase,
  { onProgress, signal }: StartOptions,
): Promise<void> {
  const [first] = nodes;
  if (first === undefined) return;
  if (!nodes.every(({ isPermissioned }) => isPermissioned)) {
    const config = await tryAgain(
      'the deployment',
      () => deployContracts(first, nodes, { folder: options.dataDir, onProgress }),
      { onProgress, signal },
    );
    signal?.throwIfAborted();
    await restartWith(config, nodes, { onProgress, signal });
  }
  onProgress('waiting for the permissions to be set up');
  // The accounts of the node keys sign the markers of restricted private transactions.
  const signers = [files.signerAddress, ...nodes.map((node) => node.files.address)];
  const members = [...FUNDED_ACCOUNTS.map(({ address }) => address), ...signers];
  await enrolMembers({ url: first.rpc, admin: first.files.account, members, signal });
}

/** Makes a node permissioned that has not been started yet. It may connect to the others before it knows the contracts' list. */
export async function permitJoining(
  node: NetworkNode,
  others: readonly NetworkNode[],
  { dataDir }: Pick<NetworkOptions, 'dataDir'>,
): Promise<void> {
  const config = await readFile(join(dataDir, PERMISSION_CONFIG), 'utf8');
  await writePermissionFiles([node], others, config);
}

/** @returns text of permission-config.json */
async function deployContracts(
  first: NetworkNode,
  nodes: readonly NetworkNode[],
  { folder, onProgress }: { readonly folder: string; readonly onProgress: (what: string) => void },
): Promise<string> {
  const out = join(folder, PERMISSION_CONFIG);
  if (!existsSync(out)) {
    onProgress('deploying the permission contracts');
    await askProgram('node', [
      'deploy-permissions',
      '--chain-url',
      first.rpc,
      '--from',
      first.files.account,
      '--out',
      out,
      '--admin-accounts',
      nodes.map(({ files }) => files.account).join(','),
    ]);
  }
  return readFile(out, 'utf8');
}

async function restartWith(
  config: string,
  nodes: readonly NetworkNode[],
  { onProgress, signal }: StartOptions,
): Promise<void> {
  onProgress('starting the nodes again, permissioned');
  await Promise.all(nodes.map((node) => node.stop()));
  await writePermissionFiles(nodes, nodes, config);
  const started = await Promise.allSettled(nodes.map((node) => node.start(signal)));
  for (const one of started) if (one.status === 'rejected') throw one.reason;
}

/** @param permitted - nodes that may connect until the contracts are read */
async function writePermissionFiles(
  nodes: readonly NetworkNode[],
  permitted: readonly NetworkNode[],
  config: string,
): Promise<void> {
  const enodes = permitted.map(({ enode }) => enode);
  for (const { files } of nodes) {
    const list = `${JSON.stringify(enodes, null, 2)}\n`;
    await writeWhole(join(files.folder, 'permissioned-nodes.json'), list, 0o644);
    // Last, because it makes the node permissioned.
    await writeWhole(join(files.folder, PERMISSION_CONFIG), config, 0o644);
  }
}
