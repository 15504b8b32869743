import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '@tetrad/files';
import { askProgram } from '../commands/ask-program.js';
import { enrolMembers } from './members.js';
import { FUNDED_ACCOUNTS } from './network-files.js';
import type { NetworkNode } from './network-node.js';
import type { NetworkBase, StartOptions } from './network-service.js';
import { PERMISSION_CONFIG } from './node-files.js';

/**
 * Enables permissions on running nodes, and makes the accounts of a development network members. The first time contracts
 * are deployed, and nodes are restarted; an interrupted run is continued by the next.
 *
 * Fails: Error with the message of the node's command; with the reason of the signal
 */
export async function permitNodes(
  nodes: readonly NetworkNode[],
  { options, files }: NetworkBase,
  { onProgress, signal }: StartOptions,
): Promise<void> {
  const [first] = nodes;
  if (first === undefined) return;
  if (!nodes.every(({ isPermissioned }) => isPermissioned)) {
    const config = await deployContracts(first, nodes, { folder: options.dataDir, onProgress });
    signal?.throwIfAborted();
    await restartWith(config, nodes, { onProgress, signal });
  }
  onProgress('waiting for the permissions to be set up');
  // The accounts of the node keys sign the markers of restricted private transactions.
  const signers = [files.signerAddress, ...nodes.map((node) => node.files.address)];
  const members = [...FUNDED_ACCOUNTS.map(({ address }) => address), ...signers];
  await enrolMembers({ url: first.rpc, admin: first.files.account, members, signal });
}

/** Out: text of permission-config.json */
async function deployContracts(
  first: NetworkNode,
  nodes: readonly NetworkNode[],
  { folder, onProgress }: { readonly folder: string; readonly onProgress: (what: string) => void },
): Promise<string> {
  const out = join(folder, PERMISSION_CONFIG);
  if (!existsSync(out)) {
    onProgress('deploying the permission contracts');
    await askProgram('node', [
      ...['deploy-permissions', '--chain-url', first.rpc, '--from', first.files.account, '--out', out],
      ...['--admin-accounts', nodes.map(({ files }) => files.account).join(',')],
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
  const enodes = `${JSON.stringify(
    nodes.map(({ enode }) => enode),
    null,
    2,
  )}\n`;
  for (const { files } of nodes) {
    await writeWhole(join(files.folder, 'permissioned-nodes.json'), enodes, 0o644);
    // Last, because it makes the node permissioned.
    await writeWhole(join(files.folder, PERMISSION_CONFIG), config, 0o644);
  }
  const started = await Promise.allSettled(nodes.map((node) => node.start(signal)));
  for (const one of started) if (one.status === 'rejected') throw one.reason;
}
