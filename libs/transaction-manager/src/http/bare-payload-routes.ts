import type { PrivacyGroups } from '../group/privacy-groups.js';
import type { TransactionManager } from '../manager/transaction-manager.js';
import { VERSIONED } from './media-types.js';
import { payloadFromJson, payloadToJson } from './payload-json.js';
import { json, type Route } from './route.js';
import { readSendRequest } from './send-routes.js';
import { receivedJson } from './transaction-routes.js';

/** Requests that encrypt and decrypt payloads, of which nothing is sent or stored. */
export function barePayloadRoutes(parts: {
  readonly manager: TransactionManager;
  readonly groups: PrivacyGroups;
}): Route[] {
  const versioned = { method: 'POST', consumes: VERSIONED, produces: VERSIONED } as const;
  return [
    {
      ...versioned,
      path: '/encodedpayload/create',
      async handle(request) {
        const payload = await parts.manager.encrypt(await readSendRequest(request, parts.groups));
        return json(payloadToJson(payload), request.mediaType);
      },
    },
    {
      ...versioned,
      path: '/encodedpayload/decrypt',
      async handle({ body, mediaType }) {
        return json(receivedJson(await parts.manager.decrypt(payloadFromJson(body)), mediaType), mediaType);
      },
    },
  ];
}
