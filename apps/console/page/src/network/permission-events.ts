import type { AbiEvent } from 'viem';
import { parseAbiItem, toEventSelector } from 'viem/utils';
import { PERMISSION_EVENTS } from '../abi/own-contracts.js';

let names: ReadonlyMap<string, string> | undefined;

/** First topic → name of the event. */
export function permissionEventNames(): ReadonlyMap<string, string> {
  names ??= new Map(
    PERMISSION_EVENTS.map((event) => [
      toEventSelector(parseAbiItem(event) as AbiEvent),
      event.slice('event '.length, event.indexOf('(')),
    ]),
  );
  return names;
}
