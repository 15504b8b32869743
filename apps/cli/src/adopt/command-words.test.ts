import { describe, expect, it } from '@jest/globals';
import { parseCommandLine, parseServiceFile } from './command-words.js';
import { gethFlags } from './geth-flags.js';

describe('a command line', () => {
  it('is split as in a shell, with its environment', () => {
    const text = `PRIVATE_CONFIG=/qdata/tm.ipc exec geth \\\n  --datadir '/my data' --identity "a \\" b" --unlock 0 --mine=true`;
    const { words, environment } = parseCommandLine(text);
    expect(words).toEqual([
      'geth',
      '--datadir',
      '/my data',
      '--identity',
      'a " b',
      '--unlock',
      '0',
      '--mine=true',
    ]);
    expect([...environment]).toEqual([['PRIVATE_CONFIG', '/qdata/tm.ipc']]);
    expect(gethFlags(words)).toEqual([
      { name: 'datadir', value: '/my data' },
      { name: 'identity', value: 'a " b' },
      { name: 'unlock', value: '0' },
      { name: 'mine', value: 'true' },
    ]);
  });

  it('has switches, which take no value, and values that begin with a dash', () => {
    const words = 'geth --mine attach --nodiscover --port 1 -rpc --gasprice -1 --last'.split(' ');
    expect(gethFlags(words)).toEqual([
      { name: 'mine', value: 'true' },
      { name: 'nodiscover', value: 'true' },
      { name: 'port', value: '1' },
      { name: 'rpc', value: 'true' },
      { name: 'gasprice', value: '-1' },
      { name: 'last', value: 'true' },
    ]);
  });

  it.each([
    ["geth --identity 'a", "has a ' that does not end"],
    ['geth --port $PORT', 'has the variable $PORT'],
    [`geth ${'a '.repeat(3_000)}`, 'has more than 2000 words'],
    ['a'.repeat(300_000), 'exceeds 262144 characters'],
  ])('%.20s is refused', (text, message) => {
    expect(() => parseCommandLine(text)).toThrow(message);
  });
});

describe('a service file', () => {
  it('has the command in ExecStart, and variables', () => {
    const text = `[Unit]
ExecStart=/not/this
[Service]
# ExecStart=/nor/this
Environment="PRIVATE_CONFIG=/run/tm.ipc" PORT=30310
ExecStart=-/usr/bin/geth --port \${PORT} \\
  --http.api $APIS$
Environment=APIS=eth,net
[Install]
WantedBy=multi-user.target`;
    const { words, environment } = parseServiceFile(text);
    expect(words).toEqual(['/usr/bin/geth', '--port', '30310', '--http.api', 'eth,net$']);
    expect(environment.get('PRIVATE_CONFIG')).toBe('/run/tm.ipc');
  });

  it.each([
    ['[Service]\nType=simple', 'has no ExecStart'],
    ['[Service]\nEnvironmentFile=/etc/geth', 'EnvironmentFile /etc/geth is not read'],
    ['[Service]\nExecStart=geth $NO', 'has the variable $NO'],
  ])('%j is refused', (text, message) => {
    expect(() => parseServiceFile(text)).toThrow(message);
  });
});
