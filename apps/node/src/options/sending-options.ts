import {
  booleanOption,
  defineOptions,
  durationOption,
  listOption,
  option,
  pathOption,
} from '@tetrad/service';
import { ptmKeyOption } from './ptm-key-option.js';

/** Options with the names of GoQuorum's flags where their values mean the same. */
export const sendingOptions = defineOptions({
  privacyMarkers: option(booleanOption(), {
    group: 'Private transactions',
    description:
      'Send private transactions of accounts of this node as privacy marker transactions, on chains that support them.',
    aliases: ['privacymarker.enable'],
    default: false,
  }),
  refusePartialRecipients: option(booleanOption(), {
    group: 'Private transactions',
    description:
      'Refuse private transactions of flag 0 that leave out known parties of a contract they call, unless the request has allowSubset: true. Default: a warning in the log.',
    default: false,
  }),
  stateResults: option(booleanOption(), {
    group: 'Private transactions',
    description:
      'State results of private transactions to their other parties, signed, and compare them with theirs, where the transaction managers carry messages.',
    default: true,
  }),
  discloseResultsTo: option(listOption(ptmKeyOption()), {
    group: 'Private transactions',
    description:
      'Transaction manager keys of parties that get every result of the private transactions they take part in, also where it depends on contracts that they do not have. Default: only results that tell nothing of such contracts.',
    default: [],
  }),
  waitAgreement: option(durationOption({ min: 0, max: 3_600_000 }), {
    group: 'Private transactions',
    description:
      'Time that callbacks of eth_sendTransactionAsync wait for the agreement of all known parties of a private transaction, unless the request has waitAgreement. Default: they are posted once it is sent.',
    default: 0,
  }),
  privacyMarkerKeyFile: option(pathOption(), {
    group: 'Private transactions',
    description:
      'TOML file of a key in an HSM or key service that signs the markers of restricted transactions. Default: the node key.',
  }),
});
