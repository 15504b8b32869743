import { booleanOption, defineOptions, option } from '@tetrad/service';

/** Options with the names of GoQuorum's flags where their values mean the same. */
export const sendingOptions = defineOptions({
  privacyMarkers: option(booleanOption(), {
    group: 'Private transactions',
    description:
      'Send private transactions of accounts of this node as privacy marker transactions, on chains that support them.',
    aliases: ['privacymarker.enable'],
    default: false,
  }),
});
