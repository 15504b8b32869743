import { expect, it } from '@jest/globals';
import * as surface from './index.js';

it('exports these values and no others', () => {
  expect(Object.keys(surface).sort()).toEqual([
    'DEFAULT_PEER_LIMITS',
    'EnodeError',
    'FollowingWatch',
    'MAX_RANGE_ENTRIES',
    'MAX_REQUESTED_CONTENTS',
    'MAX_REQUESTED_HEADERS',
    'MAX_REQUESTED_PAST',
    'MAX_REQUESTED_RANGES',
    'MAX_STATE_BUDGET',
    'OwnKeyElsewhere',
    'PeerNetwork',
    'addressOfNode',
    'decodeStateAnswer',
    'encodeStateAnswer',
    'encodeStateRequest',
    'formatEndpoint',
    'formatEnode',
    'nodeIdFromBytes',
    'parseEnode',
    'parseNodeId',
    'shortNodeId',
  ]);
});
