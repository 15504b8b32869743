import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseKeyConfig } from './key-config.js';
import { KeyLoadError } from './key-load-error.js';

const SECRET = 'c0ffee-secret';
const names = [
  'type',
  'keyType',
  'privateKey',
  'keystoreFile',
  'keystorePasswordFile',
  'serverHost',
  'serverPort',
  'keyPath',
  'keyName',
  'token',
  'timeout',
  'tlsEnabled',
  'tlsKnownServersPath',
  'httpProtocolVersion',
];
const value = fc.constantFrom<unknown>(
  SECRET,
  '',
  '5',
  '-1',
  '0',
  '99999999999',
  'true',
  'maybe',
  'SECP256K1',
  'BLS',
  'file-raw',
  'file-keystore',
  'hashicorp',
  'aws-kms',
  'HTTP_2',
  null,
  [SECRET],
  { a: SECRET },
);

const RAW = { type: 'file-raw', keyType: 'SECP256K1', privateKey: '0x01' };
const VAULT = { type: 'hashicorp', keyType: 'SECP256K1', serverHost: 'h', keyPath: '/v1/a', token: 't' };

describe('a key configuration', () => {
  it('of any members is read or refused, and what is refused is not repeated', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), value), (members) => {
        try {
          parseKeyConfig(members);
        } catch (error) {
          expect(error).toBeInstanceOf(KeyLoadError);
          expect((error as Error).message).not.toContain(SECRET);
        }
      }),
      { numRuns: 1_000 },
    );
    fc.assert(
      fc.property(fc.anything(), (anything) => {
        expect(() => parseKeyConfig(anything)).toThrow(KeyLoadError);
      }),
    );
  });

  it('has the defaults of web3signer', () => {
    expect(parseKeyConfig({ ...VAULT, serverPort: null, description: 'not ours' })).toEqual({
      ...VAULT,
      serverPort: 8200,
      keyName: 'value',
      authMethod: 'token',
      timeout: 10_000,
      tlsEnabled: false,
    });
  });

  it.each([
    ['secp256k1', RAW],
    ['Secp256k1', RAW],
  ])('may write %s as its type of key', (keyType, members) => {
    expect(parseKeyConfig({ ...members, keyType })).toEqual(RAW);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['no type', { keyType: 'SECP256K1' }, 'type: must be one of file-raw, file-keystore, hashicorp'],
    ['an unknown type', { ...RAW, type: 'file' }, 'type: must be one of'],
    ['no type of key', { ...RAW, keyType: null }, 'keyType: must be SECP256K1; web3signer takes it for BLS'],
    ['a key of validators', { ...RAW, keyType: 'BLS' }, 'keyType: must be SECP256K1'],
    ['no key', { ...RAW, privateKey: null }, 'privateKey: '],
    ['an empty member', { ...VAULT, token: '' }, 'token: must not be empty'],
    ['a port beyond all', { ...VAULT, serverPort: '65536' }, 'serverPort: must be a whole number from 1 to'],
    ['an invalid port', { ...VAULT, serverPort: '0x20' }, 'serverPort: must be a whole number from 1 to'],
    [
      'a secret in Azure without keyType',
      { type: 'azure-secret', vaultName: 'bank', secretName: 'a' },
      'keyType: must be SECP256K1',
    ],
    [
      'a secret in Azure without its name',
      {
        type: 'azure-secret',
        keyType: 'SECP256K1',
        vaultName: 'bank',
        authenticationMode: 'SYSTEM_ASSIGNED_MANAGED_IDENTITY',
      },
      'secretName: is required',
    ],
    [
      'a secret in Azure without a client',
      { type: 'azure-secret', keyType: 'SECP256K1', vaultName: 'bank', secretName: 'a' },
      'clientId: is required with authenticationMode CLIENT_SECRET',
    ],
    [
      'a key in Azure with two client secrets',
      {
        type: 'azure-key',
        vaultName: 'bank',
        keyName: 'a',
        clientId: 'b',
        tenantId: 'c',
        clientSecret: 'd',
        clientSecretFile: 'e',
      },
      'clientSecretFile: cannot be given beside clientSecret',
    ],
    [
      'a key in Azure without a client secret',
      { type: 'azure-key', vaultName: 'bank', keyName: 'a', clientId: 'b', tenantId: 'c' },
      'clientSecret: or clientSecretFile is required with authenticationMode CLIENT_SECRET',
    ],
    ['AWS KMS without a region', { type: 'aws-kms', kmsKeyId: 'a' }, 'region: is required'],
    [
      'AWS KMS without credentials',
      { type: 'aws-kms', region: 'eu', kmsKeyId: 'a', accessKeyId: 'b' },
      'secretAccessKey: is required, unless authenticationMode is ENVIRONMENT',
    ],
    [
      'AWS KMS in another mode',
      { type: 'aws-kms', region: 'eu', kmsKeyId: 'a', authenticationMode: 'MAGIC' },
      'authenticationMode: must be SPECIFIED or ENVIRONMENT',
    ],
    [
      'AWS KMS at no URL',
      {
        type: 'aws-kms',
        region: 'eu',
        kmsKeyId: 'a',
        authenticationMode: 'ENVIRONMENT',
        endpointOverride: 'x',
      },
      'endpointOverride: must be an http or https URL',
    ],
    ['an HSM without a library', { type: 'pkcs11', keyType: 'SECP256K1' }, 'library: is required'],
    ['half a truth', { ...VAULT, tlsEnabled: 'yes' }, 'tlsEnabled: must be true or false'],
    [
      'another protocol',
      { ...VAULT, httpProtocolVersion: 'SPDY' },
      'httpProtocolVersion: must be HTTP_1_1 or',
    ],
    ...['yubihsm', 'interlock'].map((type): [string, Record<string, unknown>, string] => [
      `keys elsewhere (${type})`,
      { type },
      `type: ${type} is not supported`,
    ]),
  ])('is refused with %s', (_what, members, text) => {
    expect(() => parseKeyConfig(members)).toThrow(text);
  });
});
