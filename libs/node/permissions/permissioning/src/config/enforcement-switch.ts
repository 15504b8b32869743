import type { Genesis } from '@tetrad/node-execution';

/** Whether permissions are enforced on top of a head. */
export type EnforcementSwitch = (headNumber: number) => boolean;

/**
 * When permissions are enforced by the genesis file: from the start if it has no key for them, else on top of heads from
 * `qip714Block` on, as changed by the latest transition (docs/adr/0086).
 */
export function enforcementSwitch({
  permissioningBlock,
  consensus,
}: Pick<Genesis, 'permissioningBlock' | 'consensus'>): EnforcementSwitch {
  const changes = consensus.transitions.flatMap(({ block, enhancedPermissioning: isOn }) =>
    isOn === undefined ? [] : [{ block, isOn }],
  );
  const isAlwaysOn = permissioningBlock === undefined && changes.length === 0;
  return (headNumber) => {
    let isOn = isAlwaysOn || (permissioningBlock !== undefined && headNumber >= permissioningBlock);
    for (const change of changes) if (change.block <= headNumber) isOn = change.isOn;
    return isOn;
  };
}
