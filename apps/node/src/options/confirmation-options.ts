import { choiceOption, defineOptions, durationOption, option, type ConfigOf } from '@tetrad/service';
import type { ConfirmationRule } from '@tetrad/node-extension';

const PRIVACY = 'Private transactions';

const RULES = ['unless-contradicted', 'all', 'off'] as const satisfies readonly ConfirmationRule[];

export const confirmationOptions = defineOptions({
  extensionConfirmation: option(choiceOption(...RULES), {
    group: PRIVACY,
    description:
      'When a contract that is extended to this node is accepted: unless a party contradicts its state, only if all known parties confirm it, or without asking them.',
    default: 'unless-contradicted',
  }),
  extensionConfirmationWait: option(durationOption({ min: 0, max: 60_000 }), {
    group: PRIVACY,
    description:
      'Time that the parties of a contract have to confirm its state; private state waits for it before the block.',
    default: 5_000,
  }),
});

export type ConfirmationConfig = ConfigOf<typeof confirmationOptions>;
