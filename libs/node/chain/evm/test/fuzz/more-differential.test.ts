import { describe, it } from '@jest/globals';
import { OTHER_PARTS, comparePart } from './compare-part.js';

describe('the interpreter', () => {
  it.each(OTHER_PARTS)(
    'agrees with EthereumJS in gas, output, failure, refund, logs, access sets and state: part %i',
    comparePart,
  );
});
