import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { nodeStandardMethods } from '@tetrad/api-node';

const folder = import.meta.dirname;

/** Methods that the tests of this folder check against their public shape: `check('name', …)`, with a type or without. */
function checkedMethods(): Set<string> {
  const sources = readdirSync(folder)
    .filter((file) => file.endsWith('.rpc.test.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  const calls = sources.join('\n').matchAll(/\bcheck(?:<[^(]*>)?\(\s*'(\w+)'/g);
  return new Set([...calls].map(([, method]) => method as string));
}

it('every standard method is tested over HTTP or WebSocket', () => {
  // The two that need a WebSocket have a file of their own.
  const pushed = ['eth_subscribe', 'eth_unsubscribe'];
  // So have those that need another node.
  const peers = ['admin_addPeer', 'admin_removePeer'];
  // Those that need a manager are in clients/private-network-package.test.ts, chainExtension and privacy.
  const managers = [
    'eth_getPSI',
    'chainExtension_generateExtensionApprovalUuid',
    'chainExtension_inspect',
    'privacy_compareSince',
    'privacy_explainAgreement',
    'privacy_getAgreement',
    'privacy_getContractAgreement',
    'privacy_listDisagreements',
    'privacy_listRepairs',
    'admin_allowContractRepair',
    'admin_getContractRepair',
    'admin_repairContract',
    'privacy_subscribeAgreement',
  ];
  // And those that need a permissioned network in permissions/two-organizations.rpc.test.ts.
  const permissioned = ['chainPermission_explain', 'chainPermission_previewChange'];
  expect([...checkedMethods(), ...pushed, ...peers, ...managers, ...permissioned].sort()).toEqual(
    Object.keys(nodeStandardMethods).sort(),
  );
});
