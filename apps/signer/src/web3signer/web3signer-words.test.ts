import { describe, expect, it } from '@jest/globals';
import { eth1Options } from './eth1-options.js';
import { Web3signerWords } from './web3signer-words.js';

const words = () => new Web3signerWords(eth1Options);
const translate = (line: string) => words().translateArguments(line.split(' ')).join(' ');

describe('a command line of web3signer', () => {
  it.each([
    ['--key-config-path=keys eth1 --chain-id=9', '--key-config-path=keys --chain-id=9'],
    ['--key-store-path keys -l INFO eth1 --chain-id 9', '--key-store-path keys -l INFO --chain-id 9'],
    [
      '--metrics-enabled eth1 --downstream-http-tls-enabled true',
      '--metrics-enabled --downstream-http-tls-enabled true',
    ],
    // A host, and not the command.
    ['eth1 --downstream-http-host eth1 --chain-id 9', '--downstream-http-host eth1 --chain-id 9'],
    ['--idle-connection-timeout-seconds=30 eth1', '--http-keep-alive-timeout 30s'],
    ['--idle-connection-timeout-seconds 30 eth1', '--http-keep-alive-timeout 30s'],
    ['--swagger-ui-enabled --access-logs-enabled=true eth1 --chain-id 9', '--chain-id 9'],
    [
      '--vertx-worker-pool-size 8 eth1 --aws-kms-client-cache-size=2 --aws-connection-cache-size 3 --chain-id 9',
      '--chain-id 9',
    ],
    [
      'eth1 --azure-vault-enabled=false --azure-vault-name eth1 --azure-response-timeout 5 --azure-tags ENV=a',
      '--azure-vault-enabled=false --azure-vault-name eth1 --azure-timeout 5s --azure-tags ENV=a',
    ],
    [
      'eth1 --aws-kms-enabled --aws-kms-region eu --aws-kms-tag-names-filter a,b',
      '--aws-kms-enabled --aws-kms-region eu --aws-kms-tag-names-filter a,b',
    ],
    ['eth1 help', '--help'],
    ['eth1 --chain-id 9 --help', '--chain-id 9 --help'],
    ['eth1 -V', '--version'],
  ])('%s is %s', (theirs, ours) => {
    expect(words().areOf(theirs.split(' '))).toBe(true);
    expect(translate(theirs)).toBe(ours);
  });

  it.each([
    '--chain-id 9',
    'multikey-signer --directory eth1',
    '--downstream-http-host eth1 --chain-id 9',
    '--downstream-http-host eth1 file-based-signer --key-file k',
    '',
  ])('is not %j', (line) => {
    expect(words().areOf(line.split(' ').filter((word) => word !== ''))).toBe(false);
  });

  it.each([
    ['eth2 --network mainnet', 'eth2: keys of validators are not supported, only eth1'],
    ['--key-config-path k filecoin', 'filecoin: is not this service; see tetrad wallet'],
    ['eth1 --azure-client-secret s3', 'write it into one for --azure-client-secret-file'],
    ['eth1 --aws-kms-secret-access-key=s3', 'write it into one for --aws-kms-secret-access-key-file'],
    ['eth1 --aws-secrets-secret-access-key=s3', 'write it into one for --aws-secrets-secret-access-key-file'],
    ['--metrics-push-enabled true eth1', '--metrics-push-enabled: metrics are not pushed'],
    [
      'eth1 --downstream-http-proxy-password pw',
      'write it into one for --downstream-http-proxy-password-file',
    ],
  ])('%s is refused by name', (line, problem) => {
    expect(words().areOf(line.split(' '))).toBe(true);
    expect(() => translate(line)).toThrow(problem);
  });

  it('says what has no effect', () => {
    const one = words();
    one.translateArguments(['--swagger-ui-enabled', 'eth1', '--metrics-push-host', 'x', '--chain-id=9']);
    expect(one.withoutEffect).toEqual(['--swagger-ui-enabled', '--metrics-push-host']);
  });
});

describe('variables of web3signer', () => {
  it('are ours, those of the command before those of the program, and ours before both', () => {
    const one = words();
    const translated = one.translateEnvironment({
      WEB3SIGNER_ETH1_CHAIN_ID: '9',
      WEB3SIGNER_CHAIN_ID: '1',
      WEB3SIGNER_HTTP_LISTEN_PORT: '1',
      TETRAD_SIGNER_HTTP_LISTEN_PORT: '2',
      WEB3SIGNER_LOGGING: 'DEBUG',
      WEB3SIGNER_KEY_STORE_PATH: 'keys',
      WEB3SIGNER_IDLE_CONNECTION_TIMEOUT_SECONDS: '30',
      WEB3SIGNER_SWAGGER_UI_ENABLED: 'true',
      // Of Kubernetes, for a service that is called web3signer.
      WEB3SIGNER_PORT_9000_TCP: 'tcp://10.0.0.1:9000',
      PATH: '/bin',
    });
    expect(translated).toMatchObject({
      TETRAD_SIGNER_CHAIN_ID: '9',
      TETRAD_SIGNER_HTTP_LISTEN_PORT: '2',
      TETRAD_SIGNER_LOGGING: 'DEBUG',
      TETRAD_SIGNER_KEY_STORE_PATH: 'keys',
      TETRAD_SIGNER_HTTP_KEEP_ALIVE_TIMEOUT: '30s',
      PATH: '/bin',
    });
    expect(Object.keys(translated).filter((name) => name.startsWith('TETRAD_'))).toHaveLength(5);
    expect(one.withoutEffect).toEqual(['WEB3SIGNER_SWAGGER_UI_ENABLED', 'WEB3SIGNER_PORT_9000_TCP']);
  });

  it('that ask for what is not here are refused by name', () => {
    const variable = 'WEB3SIGNER_METRICS_PUSH_ENABLED';
    expect(() => words().translateEnvironment({ [variable]: 'true' })).toThrow(
      `${variable}: metrics are not pushed`,
    );
    const secret = 'WEB3SIGNER_ETH1_AZURE_CLIENT_SECRET';
    expect(() => words().translateEnvironment({ [secret]: 's3' })).toThrow(
      `${secret}: secrets come from files`,
    );
  });
});
