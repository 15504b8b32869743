import { expect, it } from '@jest/globals';
import { countSteps } from './demo.js';

it('the demo counts a step that was skipped apart from those that held', () => {
  expect(countSteps(17, 17)).toBe('All 18 steps held');
  expect(countSteps(16, 17)).toBe('17 steps held, and 1 was skipped');
  expect(countSteps(15, 17)).toBe('16 steps held, and 2 were skipped');
});
