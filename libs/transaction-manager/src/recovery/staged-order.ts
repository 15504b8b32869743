import type { StagedOrder } from '../store/hot/order-staged.js';

/**
 * The order in which payloads are stored so that each comes after those it refers to. Those that refer to each other in
 * a circle, which only a broken or lying manager sends, come last.
 *
 * Cost: linear in payloads and references
 */
export function inOrder(staged: readonly StagedOrder[]): number[] {
  const waitsFor = new Map(staged.map(({ sequence, after }) => [sequence, new Set(after).size]));
  const waiting = new Map<number, number[]>();
  for (const { sequence, after } of staged) {
    for (const earlier of new Set(after)) {
      const others = waiting.get(earlier);
      if (others === undefined) waiting.set(earlier, [sequence]);
      else others.push(sequence);
    }
  }
  const ordered = staged.map(({ sequence }) => sequence).filter((sequence) => waitsFor.get(sequence) === 0);
  // Grows while it is walked over.
  for (const sequence of ordered) {
    for (const later of waiting.get(sequence) ?? []) {
      const left = (waitsFor.get(later) ?? 0) - 1;
      waitsFor.set(later, left);
      if (left === 0) ordered.push(later);
    }
  }
  const placed = new Set(ordered);
  return [...ordered, ...staged.map(({ sequence }) => sequence).filter((sequence) => !placed.has(sequence))];
}
