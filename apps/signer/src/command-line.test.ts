import { describe, expect, it } from '@jest/globals';
import { translateArguments, translateEnvironment } from './command-line.js';

describe('a command line of EthSigner', () => {
  it.each([
    [
      '--chain-id=9 file-based-signer --key-file=k -p pw',
      '--chain-id=9 --file-based-signer-key-file=k -p pw',
    ],
    ['multikey-signer --directory dir', '--multikey-signer-directory dir'],
    [
      '--logging INFO hashicorp-signer --host vault --tls-enabled=false',
      '--logging INFO --hashicorp-signer-host vault --hashicorp-signer-tls-enabled=false',
    ],
    ['raw-signer --key-file k --help', '--raw-signer-key-file k --help'],
    ['--key-file k', '--key-file k'],
  ])('%s is %s', (theirs, ours) => {
    expect(translateArguments(theirs.split(' ')).join(' ')).toBe(ours);
  });

  it('is refused when it asks for keys in Azure', () => {
    expect(() => translateArguments(['--chain-id', '9', 'azure-signer'])).toThrow(
      'azure-signer: is not supported',
    );
  });
});

describe('variables of EthSigner', () => {
  it('are ours, unless ours are there', () => {
    expect(
      translateEnvironment({
        ETHSIGNER_CHAIN_ID: '9',
        ETHSIGNER_FILE_BASED_SIGNER_KEY_FILE: 'k',
        ETHSIGNER_HTTP_LISTEN_PORT: '1',
        TETRAD_SIGNER_HTTP_LISTEN_PORT: '2',
      }),
    ).toMatchObject({
      TETRAD_SIGNER_CHAIN_ID: '9',
      TETRAD_SIGNER_FILE_BASED_SIGNER_KEY_FILE: 'k',
      TETRAD_SIGNER_HTTP_LISTEN_PORT: '2',
    });
  });
});
