import { booleanOption, option } from '@tetrad/service';

/** Options of a permissioned node. */
export const permissionOptions = {
  permissioned: option(booleanOption(), {
    group: 'Permissions',
    description:
      'Connect with permitted nodes only: those of permissioned-nodes.json in the data folder or, with a permission-config.json there, those that the permission contracts name, which then also decide which accounts may transact.',
    default: false,
  }),
} as const;
