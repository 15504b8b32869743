import { RULES, type RuleDifference } from '@tetrad/node-agreement';
import { FORK_NAMES } from '@tetrad/node-execution';

/** How a rule of which both ends have said something else is shown. */
export function viewRule({ rule, own, other }: RuleDifference) {
  const known = VIEWS.get(rule) ?? { name: `rule ${rule}`, show: String };
  return { rule: known.name, own: known.show(own), other: known.show(other) };
}

const VIEWS: ReadonlyMap<number, { readonly name: string; readonly show: (value: number) => string }> =
  new Map([
    [RULES.fork, { name: 'fork', show: (value: number) => FORK_NAMES[value] ?? `fork ${value}` }],
    [RULES.maxCodeSize, { name: 'maxCodeSize', show: String }],
    [RULES.privacyFlags, { name: 'privacyFlags', show: onOrOff }],
    [RULES.markers, { name: 'markers', show: onOrOff }],
  ]);

function onOrOff(value: number): string {
  return value === 1 ? 'on' : 'off';
}
