import { describe, expect, it } from '@jest/globals';
import { isWithoutPython, runPythonTests } from './python-wallet.js';

((await isWithoutPython()) ? describe.skip : describe)('the wallet in Python', () => {
  it('makes all that the vectors have', async () => {
    const said = await runPythonTests('test_vectors');
    for (const name of ['exits', 'hashes', 'keys', 'operations', 'products', 'proofs', 'texts'])
      expect(said).toContain(`test_${name}`);
    expect(said).toMatch(/\nOK\n$/);
    expect(said).not.toMatch(/skipped|FAIL|ERROR/);
  });
});
