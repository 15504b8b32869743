import { expect, it } from '@jest/globals';
import { featuresOf } from './features.js';

it.each([
  [[], '1.0', []],
  [['v1', 'v2'], '2.0', ['privacyFlags']],
  [['1.0', '2.0', '2.1', '3.0'], '3.0', ['privacyFlags', 'versionedTypes', 'privateStates']],
  [['10.0', '2.0'], '10.0', ['privacyFlags', 'versionedTypes', 'privateStates', 'mandatoryRecipients']],
  [['x', '', '2.1'], '2.1', ['privacyFlags', 'versionedTypes']],
])('API versions %j', (versions, highest, able) => {
  const { version, ...features } = featuresOf(versions);
  expect(version).toBe(highest);
  const names = Object.entries(features).filter(([, has]) => has);
  expect(names.map(([name]) => name)).toEqual(able);
});

it('joined lookups are announced by a header', () => {
  expect(featuresOf(['5.0']).joinedLookups).toBe(false);
  const first = featuresOf(['1.0'], { 'tetrad-payload-lookups': '1' });
  expect([first.joinedLookups, first.joinedRawLookups]).toEqual([true, false]);
  const second = featuresOf(['1.0'], { 'tetrad-payload-lookups': '2' });
  expect([second.joinedLookups, second.joinedRawLookups, second.rawFeed]).toEqual([true, true, false]);
  expect(featuresOf(['1.0'], { 'tetrad-payload-lookups': '3' }).rawFeed).toBe(true);
  expect([first.messageGroups, featuresOf(['5.0'], { 'tetrad-message-groups': '1' }).messageGroups]).toEqual([
    false,
    true,
  ]);
  expect([first.sendGroups, featuresOf(['5.0'], { 'tetrad-send-groups': '1' }).sendGroups]).toEqual([
    false,
    true,
  ]);
});
