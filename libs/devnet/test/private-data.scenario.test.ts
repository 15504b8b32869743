import { afterAll, beforeAll, describe } from '@jest/globals';
import { testBackups } from './private-data/backup-tests.js';
import { testKilledBackups } from './private-data/killed-backup-tests.js';
import { testRecovery } from './private-data/recovery-tests.js';
import { testRepairs } from './private-data/repair-tests.js';
import { ThreeNodes } from './private-data/three-nodes.js';

/** Each part sends from an account of its own. */
let nodes: ThreeNodes;
beforeAll(async () => {
  nodes = await ThreeNodes.start();
}, 900_000);
afterAll(() => nodes?.stop());

describe('a backup of a running node', () => testBackups(() => nodes));
// Before repairs, across which private blocks are not executed again without being asked.
describe('a node and a manager that lost their private data', () => testRecovery(() => nodes));
describe('a contract of three parties', () => testRepairs(() => nodes));
// The last one: it leaves the first node stopped.
describe('of a node that stands below the head', () => testKilledBackups(() => nodes));
