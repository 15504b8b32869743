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

describe('a secret on the command line', () => {
  it.each([
    ['raw-signer --key 0x86e6', '--raw-signer-key-file'],
    ['--chain-id 9 raw-signer --key=0x86e6', '--raw-signer-key-file'],
    ['--raw-signer-key 0x86e6', '--raw-signer-key-file'],
    ['--key 0x86e6', '--raw-signer-key-file'],
    ['--downstream-http-proxy-password 0x86e6', '--downstream-http-proxy-password-file'],
  ])('is refused in %j, with the option that takes its place', (words, instead) => {
    const translate = () => translateArguments(words.split(' '));
    expect(translate).toThrow(`secrets come from files; write it into one for ${instead}`);
    expect(translate).not.toThrow('86e6');
  });

  it('is refused in a variable too', () => {
    const environment = { ETHSIGNER_RAW_SIGNER_KEY: '0x86e6' };
    expect(() => translateEnvironment(environment)).toThrow(
      'ETHSIGNER_RAW_SIGNER_KEY: secrets come from files; write it into one for --raw-signer-key-file',
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
