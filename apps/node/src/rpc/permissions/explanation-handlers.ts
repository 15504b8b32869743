import type { PermissionExplanationView, chainPermissionExplanationMethods } from '@tetrad/api-node';
import { parseNodeId } from '@tetrad/node-peer';
import { explainPermission, previewChange, type ExplainedRecords } from '@tetrad/node-permissioning';
import type { Handlers } from '@tetrad/rpc';
import { permissionedState, type PermissionParts } from './permission-parts.js';
import { viewOrg } from './read-handlers.js';

/** Why permissions are as they are, and what a change would make of them. */
export function permissionExplanationHandlers(
  parts: PermissionParts,
): Handlers<typeof chainPermissionExplanationMethods> {
  const lists = parts.permissions.lists ?? { allows: () => false };
  const ownId = parseNodeId(parts.identity.nodeId);
  return {
    async chainPermission_explain([subject, id, action, to]) {
      const state = permissionedState(parts);
      const question = { subject, id, action: action ?? undefined, to };
      const { records, ...found } = await explainPermission({ state, lists, ownId }, question);
      return { block: state.block, ...found, records: viewRecords(records) };
    },
    async chainPermission_previewChange([change, words]) {
      const { records, config, block } = permissionedState(parts);
      const { changes, total } = await previewChange(
        { records, policy: config, model: config.model },
        change,
        words,
      );
      return { block, total, changes: [...changes] };
    },
  };
}

function viewRecords({
  org,
  masterOrg,
  nodes,
  ...rest
}: ExplainedRecords): PermissionExplanationView['records'] {
  return {
    ...rest,
    ...(org && { org: viewOrg(org) }),
    ...(masterOrg && { masterOrg: viewOrg(masterOrg) }),
    ...(nodes && { nodes: [...nodes] }),
  };
}
