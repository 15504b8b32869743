import type { Address } from '@tetrad/types';

/**
 * The accounts that may begin and accept extensions: with enhanced permissioning, those of network and organization admins.
 *
 * Source: privacy-and-extension.md, section 5.6; permissioning.md, section 14
 */
export interface AdminAccounts {
  isAdmin(account: Address): Promise<boolean>;
}

/** Without permissioning every account counts as an admin. */
export const EVERYONE_IS_ADMIN: AdminAccounts = { isAdmin: async () => true };
