import { afterAll, beforeAll, describe } from '@jest/globals';
import { testDrills } from './operations/drill-tests.js';
import { startFourNodes, type FourNodes } from './operations/four-nodes.js';
import { testKeyRotation } from './operations/key-rotation-tests.js';

let four: FourNodes;
beforeAll(async () => {
  four = await startFourNodes();
}, 900_000);
afterAll(() => four?.stop());

// Before any private transaction: a node whose database is lost has nothing private to recover.
describe('four validators without load', () => testDrills(() => four));
// The last one: the first node and the second manager get other keys.
describe('under load', () => testKeyRotation(() => four));
