import { randomBytes } from 'node:crypto';
import { COIN_PERMISSIONS } from '@tetrad/api-wallet';
import {
  OptionError,
  choiceOption,
  createSharedSecretToken,
  defineOptions,
  option,
  pathOption,
} from '@tetrad/service';
import { tokenOptions } from '../config.js';
import { readTokenSecret, writeSecretFile } from '../token-secret.js';
import { defineCommand } from './define-command.js';

const SECRET_BYTES = 32;

export const createSecretCommand = defineCommand({
  name: 'auth create-secret',
  usage: '--out FILE',
  words: [0, 0],
  summary: 'Writes a new secret for tokens into a file that only you can read.',
  options: defineOptions({
    out: option(pathOption(), { description: 'File to write; it must not exist.', required: true }),
  }),
  async run({ config, terminal }) {
    await writeSecretFile(config.out, `${randomBytes(SECRET_BYTES).toString('hex')}\n`, '--out');
    terminal.say(`wrote ${config.out}`);
  },
});

export const createTokenCommand = defineCommand({
  name: 'auth create-token',
  usage: '--perm PERMISSION --auth-token-secret-file FILE',
  words: [0, 0],
  summary: 'Prints a token with a permission and those below it: read, write, sign, admin.',
  options: defineOptions({
    ...tokenOptions,
    perm: option(choiceOption(...COIN_PERMISSIONS), {
      description: 'Highest permission of the token.',
      required: true,
    }),
  }),
  async run({ config, terminal }) {
    if (config.authTokenSecretFile === undefined) {
      throw new OptionError('--auth-token-secret-file', 'is required');
    }
    const secret = readTokenSecret(config.authTokenSecretFile);
    const allowed = COIN_PERMISSIONS.slice(0, COIN_PERMISSIONS.indexOf(config.perm) + 1);
    terminal.say(await createSharedSecretToken(secret, allowed));
  },
});
