import { describe, expect, it } from '@jest/globals';
import { defineOptions, flagOf, kebabCase, option } from './define-options.js';
import { formatHelp, formatOptionReference } from './option-help.js';
import { choiceOption, listOption, portOption, textOption } from './option-types.js';
import { databaseOptions } from './database-options.js';
import { serviceOptions } from './service-options.js';

const small = {
  name: 'signer',
  description: 'Signs.',
  options: defineOptions({
    httpListenPort: option(portOption(), { description: 'Port to listen on.', group: 'HTTP', default: 8545 }),
    mode: option(choiceOption('a', 'b'), { description: 'How.', required: true }),
    hosts: option(listOption(textOption('HOST')), { description: 'Who.', default: [] as readonly string[] }),
  }),
};

const all = {
  ...small,
  options: defineOptions({ ...serviceOptions({ httpListenPort: 1, opsListenPort: 2 }), ...databaseOptions }),
};

describe('the help', () => {
  it('groups options and states defaults', () => {
    expect(formatHelp(small)).toBe(
      [
        'Usage: tetrad signer [options]',
        '',
        'Signs.',
        '',
        'HTTP:',
        '  --http-listen-port PORT',
        '      Port to listen on. (default: 8545)',
        '',
        'General:',
        '  --mode a|b',
        '      How. (required)',
        '  --hosts HOST[,…]',
        '      Who. (default: none)',
        '',
        'Configuration:',
        '  --config-file FILE',
        '      File with options, TOML unless the description names another form.',
        '  --help, --version',
        '      Prints this text, or the version.',
        '',
        'Every option is also an environment variable (TETRAD_SIGNER_HTTP_LISTEN_PORT) and a key of the TOML file; a flag goes before the variable, the variable before the file.',
        '',
      ].join('\n'),
    );
  });

  it('names every option of the table, in lines that fit a terminal', () => {
    const help = formatHelp(all);
    for (const key of Object.keys(all.options)) expect(help).toContain(`\n  ${flagOf(key)}`);
    const entries = help.split('\n').filter((line) => line.startsWith('  '));
    expect(entries.filter((line) => line.length > 100)).toEqual([]);
  });
});

describe('the reference', () => {
  it('has a row for every option, with the pipes of choices escaped', () => {
    const page = formatOptionReference(all);
    for (const key of Object.keys(all.options)) expect(page).toContain(`\n| \`${kebabCase(key)}\` |`);
    expect(page).toContain('debug\\|info');
  });
});

describe('the table', () => {
  it.each(['HttpPort', 'http-port', 'help', 'configFile'])('refuses the key %s', (key) => {
    expect(() => defineOptions({ [key]: option(portOption(), { description: 'x' }) })).toThrow(TypeError);
  });
});
