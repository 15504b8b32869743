import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { OperatorError } from '@tetrad/types';
import { cautionsOf, parsePolicy, readPolicyFile } from './policy-file.js';

const ADDRESS = '0xD46E8DD67C5D32BE8058BB8EB970870F07244567';

describe('a policy file', () => {
  it('is read with every limit', () => {
    const [rule] = parsePolicy(`
      [[rule]]
      name = "payroll"
      callers = ["alice", "anonymous"]
      keys = ["${ADDRESS}"]
      methods = ["eth_sendTransaction"]
      chains = [2018, "0x7e3"]
      recipients = ["${ADDRESS}", "contract-creation"]
      max-value = "1000000000000000000000"
      max-gas = 90000
      max-gas-price = 0
      rate-per-minute = 60
    `);
    expect(rule).toEqual({
      name: 'payroll',
      callers: new Set(['alice', 'anonymous']),
      keys: new Set([ADDRESS.toLowerCase()]),
      methods: new Set(['eth_sendTransaction']),
      chains: new Set([2018n, 2019n]),
      recipients: new Set([ADDRESS.toLowerCase(), 'contract-creation']),
      maxValue: 10n ** 21n,
      maxGas: 90_000n,
      maxGasPrice: 0n,
      ratePerMinute: 60,
    });
  });

  it('may begin with a byte order mark', () => {
    expect(parsePolicy('\uFEFF[[rule]]\nname = "all"\nrate-per-minute = 60')).toHaveLength(1);
  });

  it.each([
    ['[[rule]]', 'rule[0].name'],
    ['[[rule]]\nname = "a"\nmax-value = "a lot"', 'rule[0].max-value'],
    ['[[rule]]\nname = "a"\nmax-value = 1.5', 'rule[0].max-value'],
    ['[[rule]]\nname = "a"\nmax-gas = -1', 'rule[0].max-gas'],
    ['[[rule]]\nname = "a"\nkeys = ["0x12"]', 'rule[0].keys[0]'],
    ['[[rule]]\nname = "a"\nrecipients = ["everyone"]', 'rule[0].recipients[0]'],
    ['[[rule]]\nname = "a"\nmethods = []', 'rule[0].methods'],
    ['[[rule]]\nname = "a"\nchains = [0]', 'rule[0].chains[0]'],
    ['[[rule]]\nname = "a"\nrate-per-minute = 0', 'rule[0].rate-per-minute'],
    ['[[rule]]\nname = "a"\n[[rule]]\nname = "a"', 'rule'],
    ['[[rule]]\nname = "a"\nrecipient = "x"', 'rule[0]'],
    ['[[rule]]\nname = "a"\nmethods = ["eth1_sign"]\nmax-gas = 1', 'rule[0].methods'],
    [
      `[[rule]]\nname = "a"\n[[rule]]\nname = "b"\nmethods = ["x", "eth1_sign"]\nrecipients = ["${ADDRESS}"]`,
      'rule[1].methods',
    ],
    ['rules = []', 'rule'],
  ])('is refused with the name of the key: %j', (text, key) => {
    expect(() => parsePolicy(text)).toThrow(OperatorError);
    expect(() => parsePolicy(text)).toThrow(new RegExp(`^${key.replace(/[[\].]/g, '\\$&')}: `));
  });

  it('is read with a caution for each method that it names and never allows', () => {
    const methods = 'methods = ["eth_sendTransaction", "eth_sign", "eth_signTypedData_v4"]';
    const limited = `[[rule]]\nname = "a"\n${methods}\nmax-value = 1`;
    expect(cautionsOf(parsePolicy(`${limited}\n[[rule]]\nname = "b"\n${methods}`))).toEqual([
      'rule a: eth_sign is never allowed, as max-value cannot be checked for it',
      'rule a: eth_signTypedData_v4 is never allowed, as max-value cannot be checked for it',
    ]);
  });

  it('that cannot be read or is not TOML is named', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tetrad-policy-'));
    const path = join(folder, 'policy.toml');
    await expect(readPolicyFile(path)).rejects.toThrow(`policy file ${path}: ENOENT`);
    writeFileSync(path, 'rule = [');
    await expect(readPolicyFile(path)).rejects.toThrow(`policy file ${path}, line 1: is not TOML`);
    for (const [text, problem] of [
      ['[[rule]]\nmax-gas = 1\n', ', line 1: rule[0].name: is required'],
      ['[[rule]]\nname = "a"\n[[rule]]\nname = 5', ', line 4: rule[1].name: must be text'],
      ['[[rule]]\nname = "a"\nmax-value = "much"', ', line 3: rule[0].max-value: must be'],
      ['[[rule]]\nname = "a"\nrecipient = "x"', ', line 1: rule[0]: unknown setting recipient'],
      ['title = "x"', ': rule: is required'],
    ]) {
      writeFileSync(path, text ?? '');
      await expect(readPolicyFile(path)).rejects.toThrow(`policy file ${path}${problem}`);
    }
    writeFileSync(path, '[[rule]]\nname = "a"\n');
    expect(await readPolicyFile(path)).toHaveLength(1);
    rmSync(folder, { recursive: true });
  });
});
