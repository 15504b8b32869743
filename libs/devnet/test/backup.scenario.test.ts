import { afterAll, beforeAll, describe } from '@jest/globals';
import { testBackups } from './backups/backup-tests.js';
import { testKilledBackups } from './backups/killed-backup-tests.js';
import { TwoNodes } from './backups/two-nodes.js';

let two: TwoNodes;
beforeAll(async () => {
  two = await TwoNodes.start();
});
afterAll(() => two?.stop());

describe('a backup of a running node', () => testBackups(() => two));
// The last one: it leaves the first node stopped.
describe('of a node that stands below the head', () => testKilledBackups(() => two));
