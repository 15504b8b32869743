import { CommandList } from '@tetrad/service';
import {
  newAccountCommand,
  recoverAccountCommand,
  registerAccountCommand,
  showAccountCommand,
} from './account.js';
import { revokeConsentCommand, setConsentCommand, showConsentCommand } from './consent.js';
import type { Command } from './define-command.js';
import { auditCommand } from './audit.js';
import { depositCommand } from './deposit.js';
import { exitCommand } from './exit.js';
import { moveCommand } from './move.js';
import { listCommand } from './list.js';
import { owedCommand } from './owed.js';
import { rebuildCommand } from './rebuild.js';
import { receiveCommand } from './receive.js';
import { redeemCommand } from './redeem.js';
import { sendCommand } from './send.js';
import { verifyContractCommand } from './verify-contract.js';
import { viewKeyCommand } from './view-key.js';
import { watchCommand } from './watch.js';
import { withdrawCommand } from './withdraw.js';

const EXIT_CODES = `Exit codes: 0 done, 1 refused or failed, 2 bad options, 3 not known whether the operator has it, or an
operation of before was settled first: run it again.`;

/** Every command, in the order of the help. */
export const commands = new CommandList<Command>(
  'rollup',
  [
    newAccountCommand,
    registerAccountCommand,
    showAccountCommand,
    recoverAccountCommand,
    depositCommand,
    sendCommand,
    receiveCommand,
    redeemCommand,
    setConsentCommand,
    showConsentCommand,
    revokeConsentCommand,
    withdrawCommand,
    exitCommand,
    moveCommand,
    owedCommand,
    listCommand,
    watchCommand,
    verifyContractCommand,
    viewKeyCommand,
    auditCommand,
    rebuildCommand,
  ],
  { after: `Each command has --help. ${EXIT_CODES}` },
);
