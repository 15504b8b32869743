import { expect, it } from '@jest/globals';
import * as surface from './index.js';

it('exports these values and no others', () => {
  expect(Object.keys(surface).sort()).toEqual([
    'DEFAULT_PEER_LIMITS',
    'EnodeError',
    'FollowingWatch',
    'OwnKeyElsewhere',
    'PeerNetwork',
    'addressOfNode',
    'formatEndpoint',
    'formatEnode',
    'nodeIdFromBytes',
    'parseEnode',
    'parseNodeId',
    'shortNodeId',
  ]);
});
