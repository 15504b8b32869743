import { expect, it } from '@jest/globals';
import type { BftConfig } from '@tetrad/node-execution';
import { enforcementSwitch } from './enforcement-switch.js';

const at = (permissioningBlock: number | undefined, transitions: object[] = []) => {
  const consensus = { engine: 'qbft', transitions } as unknown as BftConfig;
  const isOn = enforcementSwitch({ permissioningBlock, consensus });
  return [0, 4, 5, 8, 9].filter(isOn);
};

it.each([
  ['at once when nothing is said of them', undefined, [], [0, 4, 5, 8, 9]],
  ['on top of the block of the file', 5, [], [5, 8, 9]],
  ['from a transition on', undefined, [{ block: 5, enhancedPermissioning: true }], [5, 8, 9]],
  ['at once beside transitions of other things', undefined, [{ block: 5, epochLength: 3 }], [0, 4, 5, 8, 9]],
  ['until a transition ends it', 4, [{ block: 8, enhancedPermissioning: false }], [4, 5]],
])('permissions are enforced %s', (_, block, transitions, expected) => {
  expect(at(block, transitions)).toEqual(expected);
});
