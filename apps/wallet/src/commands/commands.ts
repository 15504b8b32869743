import { CommandList } from '@tetrad/service';
import { auditCommand } from './audit.js';
import { createSecretCommand, createTokenCommand } from './auth.js';
import { changePassphraseCommand } from './change-passphrase.js';
import type { Command } from './define-command.js';
import { deleteCommand } from './delete.js';
import { exportCommand } from './export.js';
import { importCommand } from './import.js';
import { listCommand } from './list.js';
import { newCommand } from './new.js';
import { signCommand } from './sign.js';
import { verifyCommand } from './verify.js';

/** Every command beside `serve`, in the order of the help. */
export const commands = new CommandList<Command>(
  'wallet',
  [
    newCommand,
    listCommand,
    importCommand,
    exportCommand,
    deleteCommand,
    signCommand,
    verifyCommand,
    changePassphraseCommand,
    auditCommand,
    createSecretCommand,
    createTokenCommand,
  ],
  {
    before: [['serve [options]', 'Serves the wallet methods; the same without the word.']],
    otherNames: ['serve'],
  },
);
