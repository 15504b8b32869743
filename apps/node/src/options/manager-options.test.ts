import { describe, expect, it } from '@jest/globals';
import { loadConfig, parseCommandLine } from '@tetrad/service';
import { silentLogger } from '@tetrad/types';
import { managerOptions, managerSettings } from './manager-options.js';

function settings(...flags: string[]) {
  const commandLine = parseCommandLine(flags, managerOptions);
  return managerSettings(
    loadConfig({ service: 'node', options: managerOptions, commandLine, environment: {} }),
    silentLogger,
  );
}

describe('the options of the transaction manager', () => {
  it.each([
    ['http://127.0.0.1:9101', 'http://127.0.0.1:9101'],
    ['https://manager.example', 'https://manager.example'],
    ['unix:/var/tm.ipc', 'unix:/var/tm.ipc'],
    ['/var/tm.ipc', 'unix:/var/tm.ipc'],
  ])('take %s', (given, url) => {
    expect(settings('--ptm-url', given)).toMatchObject({ url, timeoutMs: 5_000, connectTimeoutMs: 1_000 });
    expect(settings('--ptm.url', given)).toMatchObject({ url });
  });

  it('may be absent', () => {
    expect(settings()).toBeUndefined();
  });

  it.each([
    [['--ptm-token-file', 'x'], '--ptm-token-file: is of no use without --ptm-url'],
    [['--ptm-url', 'http://manager', '--ptm-token-file', '/nowhere'], '--ptm-token-file: cannot read'],
    [['--ptm-url', 'http://manager', '--ptm-token-file', 'package.json'], 'does not hold a token alone'],
    [['--ptm-url', 'ftp://manager'], '--ptm-url: must be http'],
    [['--ptm-url', 'http://manager/path'], '--ptm-url: must be http'],
    [['--ptm-url', 'http://user@manager'], '--ptm-url: must be http'],
    [['--ptm-url', 'unix:relative'], '--ptm-url: must be http'],
    [['--ptm-url', 'http://manager', '--ptm-tls-ca-file', 'x'], '--ptm-url: must start with https://'],
    [['--ptm-url', 'https://manager', '--ptm-tls-key-file', 'x'], '--ptm-tls-cert-file: is required'],
    [['--ptm-url', 'https://manager', '--ptm-tls-cert-file', 'x'], '--ptm-tls-key-file: is required'],
    [['--ptm-url', 'https://manager', '--ptm-tls-ca-file', '/nowhere.pem'], '--ptm-tls-ca-file: cannot read'],
    [
      [
        '--ptm-url',
        'https://manager',
        '--ptm-tls-cert-file',
        'package.json',
        '--ptm-tls-key-file',
        'package.json',
      ],
      'not usable for TLS',
    ],
  ])('refuse %j by name', (flags, text) => {
    expect(() => settings(...flags)).toThrow(text);
  });
});
