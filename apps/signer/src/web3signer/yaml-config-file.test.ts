import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { eth1Options } from './eth1-options.js';
import { Web3signerWords } from './web3signer-words.js';
import { yamlConfigFile } from './yaml-config-file.js';

const folder = mkdtempSync(join(tmpdir(), 'tetrad-yaml-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

function read(yaml: string, words = new Web3signerWords(eth1Options)): Record<string, readonly string[]> {
  const path = join(folder, 'config.yaml');
  writeFileSync(path, yaml);
  return Object.fromEntries(yamlConfigFile(words)(path, eth1Options));
}

describe('a configuration file of web3signer', () => {
  it('gives options of the program and, behind eth1, of the command, as text', () => {
    const yaml = `# of a test
http-listen-port: 9010
http-host-allowlist: ["signer.example", "localhost"]
metrics-categories: HTTP,SIGNING
logging: DEBUG
idle-connection-timeout-seconds: 5
metrics-enabled: true
data-path:
eth1.chain-id: 0x10
eth1.downstream-http-proxy-username: "007"
eth1:
  downstream-http-port: 22000
  aws-kms-enabled: true
  azure-tags: [ENV=prod, CLIENT=A]
eth2.slashing-protection-enabled: false
policy-file: rules.toml
`;
    expect(read(yaml)).toEqual({
      httpListenPort: ['9010'],
      httpHostAllowlist: ['signer.example', 'localhost'],
      metricsCategory: ['HTTP,SIGNING'],
      logLevel: ['DEBUG'],
      httpKeepAliveTimeout: ['5s'],
      metricsEnabled: ['true'],
      chainId: ['0x10'],
      downstreamHttpProxyUsername: ['007'],
      downstreamHttpPort: ['22000'],
      awsKmsEnabled: ['true'],
      azureTags: ['ENV=prod', 'CLIENT=A'],
      policyFile: ['rules.toml'],
    });
  });

  it('says what has no effect', () => {
    const words = new Web3signerWords(eth1Options);
    expect(read('swagger-ui-enabled: true\neth1.aws-connection-cache-size: 2\n', words)).toEqual({});
    expect(words.withoutEffect).toEqual([
      expect.stringMatching(/^swagger-ui-enabled in .*config\.yaml$/),
      expect.stringMatching(/^eth1\.aws-connection-cache-size in /),
    ]);
  });

  it.each([
    [
      'eth1.chain-ids: 9\nnope: 1',
      'Unknown option(s) in yaml configuration file: chain-ids (did you mean chain-id?), nope in',
    ],
    ['', 'Empty yaml configuration file'],
    ['# nothing', 'Empty yaml configuration file'],
    ['{}', 'Empty yaml configuration file'],
    ['- a', 'Unexpected yaml content'],
    ['a: 1\nb: [2', 'Unable to read yaml configuration. Invalid yaml file: '],
    ['a: *b', 'Unable to read yaml configuration. Invalid yaml file: '],
    ['eth1.azure-client-secret: s3', 'write it into one for --azure-client-secret-file'],
    [
      'eth1.downstream-http-proxy-password: pw',
      'write it into one for --downstream-http-proxy-password-file',
    ],
    ['http-listen-port: [1]', 'must be a number or string'],
  ])('of %j ends the start', (yaml, problem) => {
    expect(() => read(yaml)).toThrow(problem);
  });

  it('that is not there ends the start', () => {
    const reader = yamlConfigFile(new Web3signerWords(eth1Options));
    expect(() => reader('/nowhere.yaml', eth1Options)).toThrow(
      'Unable to read yaml configuration. File not found: /nowhere.yaml',
    );
  });
});
