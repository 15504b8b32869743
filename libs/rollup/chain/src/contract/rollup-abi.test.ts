import { describe, expect, it } from '@jest/globals';
import { Interface } from 'ethers/abi';
import { loadContract } from './artifact.js';
import { ROLLUP_ABI } from './rollup-abi.js';

describe('the interface of Rollup.sol', () => {
  it('is what the compiler says, with the errors of the library that it calls', async () => {
    const [rollup, proofs] = await Promise.all(['Rollup', 'StateProofs'].map(loadContract));
    const errors = (proofs?.abi ?? []).filter(({ type }) => type === 'error');
    const compiled = new Interface([...(rollup?.abi ?? []), ...errors]);
    expect(new Interface(ROLLUP_ABI).format()).toEqual(compiled.format());
  });
});
