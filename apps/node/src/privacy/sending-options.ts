import { booleanOption, defineOptions, option } from '@tetrad/service';

/** Flags of GoQuorum where their values mean the same. */
export const sendingOptions = defineOptions({
  privacyMarkers: option(booleanOption(), {
    group: 'Private transactions',
    description:
      'Private transactions of accounts of this node go behind privacy marker transactions, on chains that have those.',
    aliases: ['privacymarker.enable'],
    default: false,
  }),
});
